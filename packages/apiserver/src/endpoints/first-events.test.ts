import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { FirstEvents } from './first-events.js';

function begun() {
  const clock = new VirtualClock();
  const over: number[] = [];
  return { clock, over, events: new FirstEvents(clock, () => over.push(clock.monotonic())) };
}

it('the beginning of a watch is over when its first events are sent, and sets no timer for a client that reads', () => {
  const { clock, over, events } = begun();
  events.sent();
  events.sent();
  events.wait();
  assert.deepEqual([over.length, clock.waiting], [1, 0]);
});

it('the beginning of a watch is over a second after its client first kept it waiting, however often it reads', async () => {
  const { clock, over, events } = begun();
  const start = clock.monotonic();
  for (let count = 0; count < 4; count++) {
    events.wait();
    await clock.advance(300);
  }
  events.sent();
  assert.deepEqual([over, clock.waiting], [[start + 1000], 0]);
});

it('the beginning of a watch that ends sets nothing off', async () => {
  const { clock, over, events } = begun();
  events.wait();
  events[Symbol.dispose]();
  await clock.advance(5000);
  assert.deepEqual([over, clock.waiting], [[], 0]);
});
