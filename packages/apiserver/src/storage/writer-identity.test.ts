import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { MAX_AUTHOR_BYTES, MAX_MARK_BYTES } from '@binnacle/kv';
import { authorOf, identityOf, type WriterIdentity } from './writer-identity.js';

const ann: WriterIdentity = {
  user: 'ann',
  manager: 'kubectl-edit',
  userAgent: 'kubectl/v1.36.0',
  verb: 'patch',
  subresource: 'status',
  auditID: '0a1b2c3d-0000-4000-8000-00112233ffee',
};

test('an identity survives in an author, which fits the store for any texts', () => {
  assert.deepEqual(identityOf(authorOf(ann)), ann);
  const text = fc.string({ unit: 'binary', maxLength: 3000 });
  const identity = fc.record({
    user: text,
    manager: text,
    userAgent: text,
    verb: text,
    subresource: text,
    auditID: text,
  });
  fc.assert(
    fc.property(identity, (given) => {
      const author = authorOf(given);
      assert.ok(Buffer.byteLength(author.name) <= MAX_AUTHOR_BYTES && Buffer.byteLength(author.mark) <= MAX_MARK_BYTES);
      assert.notEqual(identityOf(author), undefined);
    }),
  );
});

test('long parts are left out, the user last', () => {
  const long = 'x'.repeat(1000);
  assert.deepEqual(identityOf(authorOf({ ...ann, userAgent: long })), { ...ann, userAgent: '' });
  assert.deepEqual(identityOf(authorOf({ ...ann, manager: long, userAgent: long })), {
    ...ann,
    manager: '',
    userAgent: '',
  });
  assert.equal(identityOf(authorOf({ ...ann, user: long.repeat(2) }))?.user, 'x'.repeat(128));
  assert.equal(identityOf(authorOf({ ...ann, auditID: long }))?.auditID, '');
});

test('an author of another program is not an identity', () => {
  for (const name of ['ann', '{}', '[1]', '']) assert.equal(identityOf({ name, mark: '' }), undefined);
});
