import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Steps } from '@binnacle/apimachinery/work';
import { inTurns } from './turns.js';

it('inTurns lets other work run between two steps', async () => {
  const log: string[] = [];
  function* count(): Steps<number> {
    for (let step = 0; step < 3; step++) {
      log.push(`step ${step}`);
      yield;
    }
    return 3;
  }
  const counted = inTurns(count());
  setImmediate(() => log.push('other'));
  assert.equal(await counted, 3);
  assert.deepEqual(log, ['step 0', 'step 1', 'other', 'step 2']);
});
