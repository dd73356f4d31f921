import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { watchParent } from './parent.js';

it('notices once that the parent has ended', async () => {
  const clock = new VirtualClock();
  let parent = 7;
  let count = 0;
  watchParent(
    clock,
    () => parent,
    () => (count += 1),
  );
  await clock.advance(2_000);
  assert.equal(count, 0);
  parent = 1;
  await clock.advance(2_000);
  assert.equal(count, 1);
});
