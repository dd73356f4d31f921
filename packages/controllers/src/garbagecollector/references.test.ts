import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OwnerReference } from '@binnacle/client/typed';
import { equalReference, referencesTo } from './references.js';

const reference = (uid: string, name = 'a'): OwnerReference => ({ apiVersion: 'v1', kind: 'Pod', name, uid });

/** Lists that are searched, and lists that are indexed. */
for (const others of [0, 100]) {
  describe(`the references of an object with ${others} others`, () => {
    const blocking = { ...reference('one', 'b'), blockOwnerDeletion: true };
    const [first, second] = [reference('one'), reference('two')];
    const owners = [
      first,
      second,
      blocking,
      ...Array.from({ length: others }, (_, index) => reference(`other-${index}`)),
    ];

    it('to a uid are all of them, in their order', () => {
      assert.deepEqual(referencesTo(owners, 'one'), [first, blocking]);
      assert.deepEqual(referencesTo(owners, 'absent'), []);
    });

    it('are equal when all fields that count are', () => {
      assert.equal(equalReference(owners, { ...blocking, controller: true }), blocking);
      assert.equal(equalReference(owners, { ...blocking, blockOwnerDeletion: false }), undefined);
      assert.equal(equalReference(owners, { ...second, kind: 'Node' }), undefined);
      assert.equal(equalReference(owners, reference('two')), second);
    });
  });
}
