import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DeletedPods } from './deleted-pods.js';

it('DeletedPods remembers the last ones', () => {
  const deleted = new DeletedPods(2);
  for (const uid of ['a', 'b', 'c']) deleted.add(uid);
  assert.deepEqual(
    ['a', 'b', 'c'].map((uid) => deleted.has(uid)),
    [false, true, true],
  );
});
