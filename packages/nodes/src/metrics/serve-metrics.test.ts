import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Server } from 'node:https';
import { duplexPair } from 'node:stream';
import { json, text } from 'node:stream/consumers';
import { before, describe, it } from 'node:test';
import { connect } from 'node:tls';
import { systemClock } from '@binnacle/apimachinery/clock';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { createIssuer, type Issuer } from '@binnacle/client/certificates';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { type ScriptedAnswer, ScriptedTransport } from '@binnacle/client/testing';
import { MemoryNetwork } from '../testing/index.js';
import { METRICS_HOST } from './register-metrics.js';
import { metricsServer, serveMetrics } from './serve-metrics.js';

const PODS = '/apis/metrics.k8s.io/v1beta1/namespaces/default/pods';

/** A cluster in which only `jane` may do something, and that does not answer about `lost`. */
function clusterWith(data: JsonObject, asked: JsonObject[] = []): ScriptedTransport {
  return new ScriptedTransport(({ path, body = '' }): ScriptedAnswer => {
    if (path.includes('/configmaps/')) return { object: { data } };
    const { spec } = JSON.parse(String(body)) as { readonly spec: JsonObject };
    asked.push(spec);
    if (spec['user'] === 'lost') return new Error('the cluster is gone');
    return { object: { status: { allowed: spec['user'] === 'jane', reason: 'only jane' } } };
  });
}

/** Namespace `many` has a thousand pods. */
const source = {
  nodes: () => [],
  pods: () => Array.from({ length: 1000 }, (_, index) => running(`p${index}`)),
};

function running(name: string): Pod {
  const state = { running: { startedAt: '2027-01-04T00:00:00Z' } };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'many', name },
    spec: { nodeName: 'node-0', containers: [{ name: 'c' }] },
    status: { containerStatuses: [{ name: 'c', image: '', imageID: '', ready: true, restartCount: 0, state }] },
  };
}

describe('the server of simulated metrics in memory', () => {
  const asked: JsonObject[] = [];
  const reports: string[] = [];
  let proxies: Issuer;
  let secured: { readonly server: Server; readonly authority: string };
  before(async () => {
    proxies = await createIssuer('proxies', systemClock.now());
    const data = {
      'requestheader-client-ca-file': proxies.authority.certificate,
      'requestheader-allowed-names': '["front-proxy"]',
      'requestheader-username-headers': '["X-Remote-User"]',
      'requestheader-group-headers': '["X-Remote-Group"]',
    };
    const made = await metricsServer({
      source,
      host: METRICS_HOST,
      cluster: clusterWith(data, asked),
      clock: systemClock,
      report: (error) => reports.push(String(error)),
    });
    assert.ok(made);
    secured = made;
  });

  interface Asked {
    readonly path?: string;
    readonly method?: string;
    /** Of the client's certificate; empty: it has none. */
    readonly name?: string;
  }

  const get = async (
    user: string,
    { path = PODS, method = 'GET', name = 'front-proxy' }: Asked = {},
  ): Promise<IncomingMessage> => {
    const [mine, theirs] = duplexPair();
    secured.server.emit('connection', theirs);
    const { certificate: cert, privateKey: key } = proxies.issueClient({ commonName: name });
    const client = name === '' ? {} : { cert, key };
    const socket = connect({ socket: mine, ca: secured.authority, servername: METRICS_HOST, ...client });
    return new Promise((resolve, reject) => {
      request({ path, method, headers: { 'x-remote-user': user }, createConnection: () => socket }, resolve)
        .on('error', reject)
        .end();
    });
  };
  const statusOf = async (response: IncomingMessage): Promise<unknown[]> => {
    const { kind, message } = (await json(response)) as { readonly kind: string; readonly message?: string };
    return [response.statusCode, kind, ...(message === undefined ? [] : [message])];
  };

  it('answers a user whom the cluster allows it', async () => {
    const response = await get('jane');
    assert.equal(response.headers['content-type'], 'application/json');
    assert.deepEqual(await statusOf(response), [200, 'PodMetricsList']);
    const { user, groups, resourceAttributes } = asked.at(-1) ?? {};
    assert.deepEqual([user, groups], ['jane', ['system:authenticated']]);
    const right = { verb: 'list', group: 'metrics.k8s.io', version: 'v1beta1', resource: 'pods', subresource: '' };
    assert.deepEqual(resourceAttributes, { namespace: 'default', ...right, name: '' });
  });

  it('writes a long answer in pieces', async () => {
    const response = await get('jane', { path: PODS.replace('default', 'many') });
    assert.equal(response.headers['content-length'], undefined);
    const { items } = (await json(response)) as { readonly items: readonly JsonObject[] };
    assert.equal(items.length, 1000);
  });

  it('computes no more of a long answer whose reader has gone', async () => {
    const response = await get('jane', { path: PODS.replace('default', 'many') });
    response.destroy();
    const [code] = await statusOf(await get('jane', { method: 'DELETE' }));
    assert.deepEqual([code, reports], [405, []]);
  });

  it('refuses clients that are not front proxies', async () => {
    assert.deepEqual(await statusOf(await get('jane', { name: '' })), [401, 'Status', 'Unauthorized']);
    assert.deepEqual(await statusOf(await get('jane', { name: 'other' })), [401, 'Status', 'Unauthorized']);
  });

  it('refuses what the cluster does not allow, and what the API does not have', async () => {
    const message = 'pods.metrics.k8s.io is forbidden: only jane';
    assert.deepEqual(await statusOf(await get('joe')), [403, 'Status', message]);
    const missing = 'the server could not find the requested resource';
    assert.deepEqual(await statusOf(await get('jane', { path: '/version' })), [404, 'Status', missing]);
    const [code] = await statusOf(await get('jane', { method: 'DELETE' }));
    assert.equal(code, 405);
  });

  it('reports a failure of the cluster', async () => {
    const response = await get('lost');
    assert.deepEqual([response.statusCode, await text(response)], [500, 'Internal Server Error']);
    assert.deepEqual(reports.length, 1);
    assert.match(reports[0] ?? '', /the cluster is gone/);
  });

  it('listens on one port, and closes', async () => {
    const network = new MemoryNetwork();
    const options = {
      source,
      host: METRICS_HOST,
      address: '127.0.0.1',
      cluster: clusterWith({ 'requestheader-client-ca-file': proxies.authority.certificate }),
      clock: systemClock,
      report: () => assert.fail(),
      createServer: network.createServer,
    };
    const served = await serveMetrics(options);
    assert.ok(served);
    assert.deepEqual(network.ports, [served.port]);
    const socket = connect({
      socket: network.connect(served.port),
      ca: served.authority,
      servername: METRICS_HOST,
    });
    await once(socket, 'secureConnect');
    assert.equal(socket.authorized, true);
    socket.on('error', () => undefined);
    const closed = once(socket, 'close');
    await served.close();
    await closed;
    assert.deepEqual(network.ports, []);
    network.problem = new Error('listen EADDRNOTAVAIL');
    await assert.rejects(serveMetrics(options), { message: 'listen EADDRNOTAVAIL' });
  });

  it('is not started for a cluster without front proxies', async () => {
    const options = {
      source,
      host: METRICS_HOST,
      cluster: clusterWith({}),
      clock: systemClock,
      report: () => assert.fail(),
    };
    assert.equal(await serveMetrics({ ...options, address: '127.0.0.1' }), undefined);
  });
});
