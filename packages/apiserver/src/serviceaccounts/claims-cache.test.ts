import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ClaimsCache } from './claims-cache.js';

it('keeps the most recently used claims', () => {
  const serviceAccount = { name: 'a', uid: 'u' };
  const claims = { issuer: '', subject: '', audiences: [], id: '', namespace: '', serviceAccount };
  const always = { expires: undefined, issuedAt: undefined, notBefore: undefined };
  const remembered = new ClaimsCache(2);
  for (const digest of ['one', 'two']) remembered.add(digest, { ...claims, ...always });
  assert.ok(remembered.get('one'));
  remembered.add('three', { ...claims, ...always });
  assert.deepEqual(
    ['one', 'two', 'three'].map((digest) => remembered.get(digest) !== undefined),
    [true, false, true],
  );
});
