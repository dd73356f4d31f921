import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemClock } from './index.js';

describe('system clock', () => {
  it('reads the wall clock and a monotonic one', () => {
    assert.ok(Math.abs(systemClock.now() - Date.now()) < 60_000);
    const before = systemClock.monotonic();
    assert.ok(systemClock.monotonic() >= before);
  });

  it('runs a timer once, and a disposed one never', async () => {
    const ran: string[] = [];
    await new Promise<void>((resolve) => {
      systemClock.setTimer(() => ran.push('disposed'), 1)[Symbol.dispose]();
      systemClock.setTimer(() => ran.push('first'), 1);
      systemClock.setTimer(resolve, 2);
    });
    assert.deepEqual(ran, ['first']);
  });

  it('runs a timer beyond 24 days not at once, and restarts it for the rest', (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    let runs = 0;
    const longest = 2 ** 31 - 1;
    systemClock.setTimer(() => runs++, longest + 1000);
    context.mock.timers.tick(longest);
    assert.equal(runs, 0);
    context.mock.timers.tick(999);
    assert.equal(runs, 0);
    context.mock.timers.tick(1);
    assert.equal(runs, 1);
  });
});
