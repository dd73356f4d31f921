import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { DynamicClient } from '@binnacle/client/dynamic';
import { type ScriptedAnswer, ScriptedTransport } from '@binnacle/client/testing';
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
});
