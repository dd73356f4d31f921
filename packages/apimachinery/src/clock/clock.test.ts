import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { repeat, steadyTime, VirtualClock } from './index.js';

describe('time of a clock', () => {
  it('starts at wall time and ignores every later setting of it', async () => {
    const clock = new VirtualClock(1000);
    const steady = steadyTime(clock);
    clock.jump(3_600_000);
    await clock.advance(5);
    assert.deepEqual([steady(), clock.now()], [1005, 3_601_005]);
    assert.equal(steadyTime(clock)(), 3_601_005);
  });

  it('repeats a call until it is disposed, also by the call itself', async () => {
    const clock = new VirtualClock();
    const calls: number[] = [];
    const repeated = repeat(clock, 10, () => {
      calls.push(clock.monotonic());
      if (calls.length === 3) repeated[Symbol.dispose]();
    });
    await clock.advance(100);
    assert.deepEqual(calls, [10, 20, 30]);
    assert.equal(clock.waiting, 0);
  });
});

describe('virtual clock', () => {
  it('runs timers in the order of their times, then of their setting, each at its time', async () => {
    const clock = new VirtualClock(0);
    const ran: string[] = [];
    const note = (name: string) => () => ran.push(`${name} at ${clock.now()}`);
    clock.setTimer(note('late'), 20);
    clock.setTimer(note('first'), 10);
    clock.setTimer(() => clock.setTimer(note('nested'), 5), 10);
    clock.setTimer(note('second'), 10).unref();
    clock.setTimer(note('cancelled'), 10)[Symbol.dispose]();
    assert.equal(clock.untilNext, 10);
    await clock.advance(15);
    assert.deepEqual(ran, ['first at 10', 'second at 10', 'nested at 15']);
    assert.deepEqual([clock.waiting, clock.untilNext], [1, 5]);
  });

  it('runs what a timer has started before the next timer', async () => {
    const clock = new VirtualClock();
    const ran: string[] = [];
    const work = async () => {
      for (let step = 0; step < 5; step++) await Promise.resolve();
      ran.push('work');
    };
    clock.setTimer(() => void work(), 1);
    clock.setTimer(() => ran.push('next'), 1);
    await clock.advance(1);
    assert.deepEqual(ran, ['work', 'next']);
  });

  it('keeps the delays of timers when the wall clock is set, and runs late ones after a suspension', async () => {
    const clock = new VirtualClock(0);
    let ran = 0;
    clock.setTimer(() => ran++, 10);
    clock.jump(1000);
    await clock.advance(9);
    assert.equal(ran, 0);
    clock.skip(5000);
    assert.deepEqual([ran, clock.monotonic(), clock.now()], [0, 5009, 6009]);
    await clock.advance(0);
    assert.equal(ran, 1);
  });

  it('does not go back after a timer that suspends the process', async () => {
    const clock = new VirtualClock();
    clock.setTimer(() => clock.skip(5000), 10);
    await clock.advance(20);
    assert.equal(clock.monotonic(), 5010);
  });
});
