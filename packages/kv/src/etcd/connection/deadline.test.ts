import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { CallDeadline } from './deadline.js';

test('a deadline for gRPC is in real time, whatever the clock says', async () => {
  const clock = new VirtualClock(0);
  const deadline = new CallDeadline(clock, 1000);
  await clock.advance(400);
  const before = Date.now();
  const { wall } = deadline;
  assert.ok(wall >= before + 600 && wall <= Date.now() + 600, `${wall} is not 600 ms after ${before}`);
});
