import { openMemoryKV } from '@binnacle/kv/memory';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { makeTestCertificate } from '../../testing/index.js';
import { startServer } from '../start-server.js';

test('a server sends its audit events to a webhook before it has stopped', async () => {
  const own = makeTestCertificate('/CN=audit', { alternativeNames: 'IP:127.0.0.1' });
  const received: { authorization: string | undefined; body: string }[] = [];
  const service = createServer({ cert: own.certificate, key: own.privateKey }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ authorization: request.headers.authorization, body: Buffer.concat(chunks).toString() });
      response.end('{}');
    });
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  await using kv = openMemoryKV();
  const { certificate, privateKey } = makeTestCertificate('/CN=server');
  const batch = { bufferSize: 100, maximumBatchSize: 100, maximumWaitMs: 60_000 };
  const server = await startServer({
    bindAddress: '127.0.0.1',
    securePort: 0,
    tls: { certificate, privateKey, clientCertificateAuthorities: [] },
    tokens: [],
    serviceAccounts: { keys: () => Promise.reject(new Error('no token is needed')), issuers: ['https://issuer'] },
    kv,
    serviceClusterIpRange: '10.0.0.0/24',
    audit: {
      policy: { omitStages: ['RequestReceived'], rules: [{ level: 'Metadata', nonResourceURLs: ['/version'] }] },
      webhook: {
        service: {
          url: `https://127.0.0.1:${(service.address() as AddressInfo).port}/events`,
          certificateAuthority: own.certificate,
          credentials: () => ({ authorization: 'Bearer secret' }),
        },
        backoffMs: 10,
        mode: 'batch',
        batch,
        maximumEventBytes: undefined,
      },
    },
  });
  const admin = { name: 'admin', uid: '', groups: ['system:masters'], extra: {} };
  const answer = await server.send({ user: admin, method: 'GET', path: '/version' });
  assert.equal(answer.status, 200);
  await server.stop();
  service.closeAllConnections();
  service.close();
  assert.deepEqual(
    received.map(({ authorization }) => authorization),
    ['Bearer secret'],
  );
  const { items } = JSON.parse(received[0]?.body ?? '') as {
    items: { requestURI: string; user: { username: string } }[];
  };
  assert.deepEqual(
    items.map(({ requestURI, user }) => [requestURI, user.username]),
    [['/version', 'admin']],
  );
});
