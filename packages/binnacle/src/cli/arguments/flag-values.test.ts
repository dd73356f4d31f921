import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flagValues } from './flag-values.js';
import { serveOptions } from './serve-options.js';

test('every flag has its value or its default', () => {
  const values = flagValues({
    bindAddress: '::1',
    inMemory: true,
    shutdownDelayMs: 90_000,
    verbosity: 4,
    serviceAccountIssuers: ['https://a', 'https://b'],
  });
  assert.equal(Object.keys(values).length, serveOptions.length);
  assert.equal(values['bind-address'], '::1');
  assert.equal(values['in-memory'], 'true');
  assert.equal(values['shutdown-delay-duration'], '1m30s');
  assert.equal(values['v'], '4');
  assert.equal(values['service-account-issuer'], '[https://a,https://b]');
  assert.equal(values['secure-port'], '6443');
  assert.equal(values['token-auth-file'], '');
});
