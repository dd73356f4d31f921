import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as loop } from 'node:timers/promises';
import type { Steps } from '../work/index.js';
import { finishInTurns } from './finish-in-turns.js';

it('finishInTurns lets other work run when its steps have used up the turn', async (context) => {
  await loop();
  let time = 0;
  context.mock.method(performance, 'now', () => time);
  const log: string[] = [];
  function* count(): Steps<number> {
    for (let step = 0; step < 3; step++) {
      log.push(`step ${step}`);
      time += 2;
      yield;
    }
    return 3;
  }
  setImmediate(() => log.push('other'));
  const counted = finishInTurns(count());
  assert.equal(await counted, 3);
  assert.deepEqual(log, ['step 0', 'step 1', 'other', 'step 2']);
});
