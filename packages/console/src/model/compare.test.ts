import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareCollections } from './index.js';
import { collectionOf, row } from './rows.testing.js';

describe('two states', () => {
  it('differ in the objects that were added, changed or deleted', () => {
    const before = collectionOf(row('Pod', 'same'), row('Pod', 'changed'), row('Pod', 'gone'));
    const after = collectionOf(row('Pod', 'same'), row('Pod', 'changed', { version: '2' }), row('Deployment', 'new'));
    const differences = compareCollections(before, after).map(({ type, before: was, after: is }) => [
      type,
      (is ?? was)?.name,
    ]);
    assert.deepEqual(differences, [
      ['changed', 'changed'],
      ['gone', 'gone'],
      ['added', 'new'],
    ]);
    assert.equal(compareCollections(before, after, ({ name }) => name === 'gone').length, 1);
  });
});
