import assert from 'node:assert/strict';
import type { Secret } from '@binnacle/client/kinds/core/v1';
import { describe, it } from 'node:test';
import { expiryOf, signingToken } from './bootstrap-token.js';

const NOON = '2027-01-01T12:00:00Z';
const now = Date.parse(NOON);
const valid = { 'token-id': 'abcdef', 'token-secret': '0123456789abcdef', 'usage-bootstrap-signing': 'true' };

function secret(data: Readonly<Record<string, string>>, name = 'bootstrap-token-abcdef'): Secret {
  const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')] as const);
  const metadata = { name, namespace: 'kube-system' };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata,
    type: 'bootstrap.kubernetes.io/token',
    data: Object.fromEntries(encoded),
  };
}

describe('a bootstrap token', () => {
  for (const [what, given, signs] of [
    ['signs', secret(valid), true],
    ['signs until it expires', secret({ ...valid, expiration: '2027-01-01T12:00:01Z' }), true],
    ['does not sign once it has expired', secret({ ...valid, expiration: NOON }), false],
    ['does not sign with a malformed time', secret({ ...valid, expiration: 'soon' }), false],
    ['does not sign without the usage', secret({ ...valid, 'usage-bootstrap-signing': 'yes' }), false],
    ['does not sign under another name', secret(valid, 'bootstrap-token-fedcba'), false],
    ['does not sign under an odd name', secret(valid, 'token'), false],
    ['does not sign without a secret', secret({ ...valid, 'token-secret': '' }), false],
  ] as const) {
    it(what, () => {
      const expected = signs ? { id: 'abcdef', secret: '0123456789abcdef' } : undefined;
      assert.deepEqual(signingToken(given, now), expected);
    });
  }

  it('may never expire', () => {
    assert.deepEqual([secret(valid), secret({ expiration: NOON }), secret({ expiration: 'x' })].map(expiryOf), [
      Infinity,
      now,
      -Infinity,
    ]);
  });
});
