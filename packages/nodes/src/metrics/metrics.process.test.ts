import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { after, before, describe, it } from 'node:test';
import { json } from 'node:stream/consumers';
import { systemClock } from '@binnacle/apimachinery/clock';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { type CertificatePair, createIssuer, type Issuer } from '@binnacle/client/certificates';
import { transportOver } from '@binnacle/client/transport';
import { METRICS_HOST, type MetricsServer, serveMetrics } from './index.js';

/** A cluster with a front proxy, in which only `jane` may do something. */
function clusterWith(proxies: Issuer, asked: JsonObject[]) {
  const data = {
    'requestheader-client-ca-file': proxies.authority.certificate,
    'requestheader-allowed-names': '["front-proxy"]',
    'requestheader-username-headers': '["X-Remote-User"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
  };
  return transportOver(
    async ({ path, body = '' }) => {
      const { spec = {} } = path.includes('/configmaps/') ? {} : (JSON.parse(String(body)) as { spec?: JsonObject });
      if (!path.includes('/configmaps/')) asked.push(spec);
      const answer = path.includes('/configmaps/') ? { data } : { status: { allowed: spec['user'] === 'jane' } };
      const headers = { 'content-type': 'application/json' };
      return { status: 200, headers, body: pieces(JSON.stringify(answer)), cancel: () => undefined };
    },
    { clock: systemClock },
  );
}

async function* pieces(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

describe('the server of simulated metrics', { timeout: 600_000 }, () => {
  const asked: JsonObject[] = [];
  let server: MetricsServer;
  let proxies: Issuer;
  before(async () => {
    proxies = await createIssuer('proxies', Date.now());
    const started = await serveMetrics({
      source: { nodes: () => [], pods: () => [] },
      address: '127.0.0.1',
      host: METRICS_HOST,
      cluster: clusterWith(proxies, asked),
      clock: systemClock,
      report: (error) => assert.fail(String(error)),
    });
    assert.ok(started);
    server = started;
  });
  after(() => server.close());

  const get = async (
    headers: Record<string, string | string[]>,
    identity: CertificatePair | undefined,
    { path = '/apis/metrics.k8s.io/v1beta1/pods', method = 'GET' } = {},
  ) => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const { port, authority: ca } = server;
      const client = identity === undefined ? {} : { cert: identity.certificate, key: identity.privateKey };
      const options = { host: '127.0.0.1', port, path, method, ca, servername: METRICS_HOST, agent: false, headers };
      request({ ...options, ...client }, resolve)
        .on('error', reject)
        .end();
    });
    return [response.statusCode, ((await json(response)) as { kind: string }).kind];
  };

  it('trusts the headers of front proxies alone', async () => {
    const jane = { 'x-remote-user': 'jane' };
    const proxy = proxies.issueClient({ commonName: 'front-proxy' });
    assert.deepEqual(await get(jane, proxy), [200, 'PodMetricsList']);
    assert.deepEqual(await get(jane, undefined), [401, 'Status']);
    assert.deepEqual(await get(jane, proxies.issueClient({ commonName: 'other' })), [401, 'Status']);
    const stranger = (await createIssuer('proxies', Date.now())).issueClient({ commonName: 'front-proxy' });
    assert.deepEqual(await get(jane, stranger), [401, 'Status']);
    assert.deepEqual(await get({}, proxy), [401, 'Status']);
  });

  it('asks the cluster about the whole user', async () => {
    const proxy = proxies.issueClient({ commonName: 'front-proxy' });
    asked.length = 0;
    const headers = { 'x-remote-user': 'joe', 'x-remote-group': ['a', 'b'], 'x-remote-extra-scope': 'x' };
    assert.deepEqual(await get(headers, proxy), [403, 'Status']);
    assert.deepEqual(
      [asked[0]?.['user'], asked[0]?.['groups'], asked[0]?.['extra']],
      ['joe', ['a', 'b', 'system:authenticated'], { scope: ['x'] }],
    );
    assert.deepEqual(await get({ 'x-remote-user': 'jane' }, proxy, { path: '/version' }), [404, 'Status']);
    assert.deepEqual(await get({ 'x-remote-user': 'jane' }, proxy, { method: 'DELETE' }), [405, 'Status']);
  });
});
