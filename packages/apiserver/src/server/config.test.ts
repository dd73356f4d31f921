import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openMemoryKV } from '@binnacle/kv/memory';
import { completeOptions } from './config.js';
import type { ServerOptions } from './options.js';

const options = (kv: ServerOptions['kv']): ServerOptions => ({
  bindAddress: '127.0.0.1',
  securePort: 0,
  tls: { certificate: '', privateKey: '', clientCertificateAuthorities: [] },
  tokens: [],
  serviceAccounts: { keys: () => Promise.reject(new Error('unused')), issuers: ['https://issuer', 'https://old'] },
  kv,
  serviceClusterIpRange: '10.0.0.0/24',
});

it('fills in defaults, also for what is given as undefined, and keeps what is given', async () => {
  await using kv = openMemoryKV();
  const config = completeOptions({ ...options(kv), storagePrefix: undefined, watchCache: undefined });
  assert.equal(config.storagePrefix, '/registry/');
  assert.equal(config.watchCache, true);
  assert.equal(config.eventTtlSeconds, 3600);
  assert.equal(config.customStorageMediaType, 'application/json');
  assert.deepEqual(config.serviceAccounts.apiAudiences, ['https://issuer', 'https://old']);

  const chosen = completeOptions({
    ...options(kv),
    watchCache: false,
    eventTtlSeconds: 0,
    features: new Set(['CBORServingAndStorage']),
  });
  assert.equal(chosen.watchCache, false);
  assert.equal(chosen.eventTtlSeconds, 0);
  assert.equal(chosen.customStorageMediaType, 'application/cbor');
});
