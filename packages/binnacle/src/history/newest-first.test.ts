import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newestFirst } from './newest-first.js';

it('histories are merged, newest first, and none is read further than needed', async () => {
  let read = 0;
  const history = async function* (...revisions: number[]) {
    for (const revision of revisions) {
      read += 1;
      yield { resourceVersion: String(revision) };
    }
  };
  const merged: string[] = [];
  for await (const { resourceVersion } of newestFirst([history(10, 2), history(), history(9, 8, 7, 6)])) {
    merged.push(resourceVersion);
    if (merged.length === 3) break;
  }
  assert.deepEqual(merged, ['10', '9', '8']);
  assert.equal(read, 4);
});
