import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { Alarm } from './alarm.js';

describe('Alarm', () => {
  it('rings once at each moment, and not at one that was replaced', async () => {
    const clock = new VirtualClock();
    const rung: number[] = [];
    using alarm = new Alarm(clock, () => rung.push(clock.monotonic()));
    alarm.set(50);
    alarm.set(20);
    await clock.advance(100);
    alarm.set(10);
    await clock.advance(0);
    alarm.set(150);
    await clock.advance(100);
    assert.deepEqual(rung, [20, 100, 150]);
  });

  it('keeps its timer while the moment stays the same, and none when it is disposed', () => {
    const clock = new VirtualClock();
    let timers = 0;
    const counting = {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      setTimer: (run: () => void, milliseconds: number) => {
        timers++;
        return clock.setTimer(run, milliseconds);
      },
    };
    const alarm = new Alarm(counting, () => undefined);
    for (let wait = 0; wait < 10; wait++) alarm.set(50);
    assert.deepEqual([timers, clock.waiting], [1, 1]);
    alarm[Symbol.dispose]();
    assert.equal(clock.waiting, 0);
  });
});
