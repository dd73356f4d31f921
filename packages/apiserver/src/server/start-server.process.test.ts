import { KVError } from '@binnacle/kv';
import { openMemoryKV } from '@binnacle/kv/memory';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTestCertificate, withMethods } from '../testing/index.js';
import { startServer } from './start-server.js';

test('a store that accepts no writes is logged when the server starts', async () => {
  await using kv = openMemoryKV();
  const { certificate, privateKey } = makeTestCertificate('/CN=server');
  const lines: unknown[] = [];
  const server = await startServer({
    bindAddress: '127.0.0.1',
    securePort: 0,
    tls: { certificate, privateKey, clientCertificateAuthorities: [] },
    tokens: [],
    serviceAccounts: { keys: () => Promise.reject(new Error('no token is needed')), issuers: ['https://issuer'] },
    kv: withMethods(kv, { checkHealth: () => Promise.reject(new KVError('corrupt', 'the store is damaged')) }),
    serviceClusterIpRange: '10.0.0.0/24',
    report: (error, path) => lines.push([path, error]),
  });
  await server.stop();
  assert.deepEqual(lines, [['storage', 'the store is damaged']]);
});
