import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle, systemClock, VirtualClock } from '@binnacle/apimachinery/clock';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { createIssuer } from '@binnacle/client/certificates';
import { DynamicClient } from '@binnacle/client/dynamic';
import { type ScriptedAnswer, ScriptedTransport } from '@binnacle/client/testing';
import { MemoryNetwork } from '../testing/index.js';
import { keepMetrics } from './keep-metrics.js';

const source = { nodes: () => [], pods: () => [] };

/** Keeps metrics of a cluster that gives the same answer to each request. */
function start(answer: ScriptedAnswer, metricsAddress: string | undefined) {
  const clock = new VirtualClock(Date.UTC(2027, 0, 4));
  const transport = new ScriptedTransport(() => answer);
  const reports: string[] = [];
  const stopping = new AbortController();
  const report = (error: unknown, where: string): void => void reports.push(`${where}: ${String(error)}`);
  const parts = { client: new DynamicClient(transport), transport, source };
  const ended = keepMetrics({ metricsAddress, clock, report }, parts, stopping.signal);
  const requests = (): string[] => transport.requests.map(({ method, path }) => `${method} ${path}`);
  return { clock, reports, requests, ended, stop: () => stopping.abort(new Error('the nodes stop')) };
}

const TRUST = 'GET /api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';

describe('keeping metrics', () => {
  it('does nothing without an address', async () => {
    const { ended, requests } = start(new Error('unreachable'), undefined);
    await ended;
    assert.deepEqual(requests(), []);
  });

  it('ends when the cluster has no front proxies', async () => {
    const { ended, requests, reports } = start({ object: { data: {} } }, '127.0.0.1');
    await ended;
    assert.deepEqual([requests(), reports], [[TRUST], []]);
  });

  it('asks each second until the cluster answers, and reports the sixth failure', async () => {
    const { clock, ended, requests, reports, stop } = start(new Error('refused'), '127.0.0.1');
    await settle();
    for (let attempt = 1; attempt < 5; attempt++) await clock.advance(1000);
    assert.deepEqual([requests().length, reports], [5, []]);
    await clock.advance(1000);
    assert.deepEqual([requests().length, reports], [6, ['metrics: Error: refused']]);
    await clock.advance(1000);
    assert.equal(reports.length, 2);
    stop();
    await ended;
    assert.equal(reports.length, 2);
  });

  /** A cluster that keeps what is created. `created` hears the path of each object. */
  async function cluster(created: (path: string) => void = () => undefined) {
    const authority = (await createIssuer('proxies', systemClock.now())).authority.certificate;
    const network = new MemoryNetwork();
    const kept = new Map<string, JsonObject>();
    const transport = new ScriptedTransport(({ method, path, body = '' }): ScriptedAnswer => {
      if (path.includes('/configmaps/')) return { object: { data: { 'requestheader-client-ca-file': authority } } };
      const object = method === 'POST' ? (JSON.parse(String(body)) as JsonObject) : kept.get(path);
      if (object === undefined) return { status: 404, object: { kind: 'Status', reason: 'NotFound', code: 404 } };
      if (method === 'POST') {
        const place = `${path}/${(object['metadata'] as JsonObject)['name'] as string}`;
        kept.set(place, object);
        created(place);
      }
      if (method === 'DELETE') kept.delete(path);
      return { object };
    });
    const options = {
      metricsAddress: '127.0.0.1',
      clock: new VirtualClock(systemClock.now()),
      report: () => assert.fail(),
    };
    const parts = { client: new DynamicClient(transport), transport, source, createServer: network.createServer };
    return { kept, network, keep: (signal: AbortSignal) => keepMetrics(options, parts, signal) };
  }

  it('leads the API to its port until the nodes stop', async () => {
    const { kept, network, keep } = await cluster();
    const stopping = new AbortController();
    const ended = keep(stopping.signal);
    while (kept.size < 2) await settle();
    assert.deepEqual(
      [...kept.keys()],
      [
        '/api/v1/namespaces/kube-system/services/binnacle-metrics',
        '/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.metrics.k8s.io',
      ],
    );
    assert.match(JSON.stringify([...kept.values()]), new RegExp(`"port":${network.ports[0]}`));
    await settle();
    stopping.abort(new Error('the nodes stop'));
    await ended;
    assert.deepEqual([kept.size, network.ports], [0, []]);
  });

  it('ends when the nodes stop while the last object is created', async () => {
    const stopping = new AbortController();
    const { kept, network, keep } = await cluster((path) => {
      if (path.includes('/apiservices/')) stopping.abort(new Error('the nodes stop'));
    });
    await keep(stopping.signal);
    assert.deepEqual([kept.size, network.ports], [0, []]);
  });
});
