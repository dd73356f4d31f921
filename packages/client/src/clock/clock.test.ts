import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ManualClock } from '../testing/index.js';
import { Backoff, Deadline, sleep, TimeoutError } from './index.js';

describe('clock', () => {
  it('sleeps for the given time', async () => {
    const clock = new ManualClock();
    let awake = false;
    const sleeping = sleep(clock, 100).then(() => {
      awake = true;
    });
    await clock.advance(99);
    assert.equal(awake, false);
    await clock.advance(1);
    assert.equal(awake, true);
    await sleeping;
  });

  it('aborts a sleep with the reason of its signal and leaves no timer', async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const sleeping = sleep(clock, 100, controller.signal);
    controller.abort(new Error('enough'));
    await assert.rejects(sleeping, /enough/);
    await assert.rejects(sleep(clock, 100, AbortSignal.abort('gone')), /gone/);
    assert.equal(clock.waiting, 0);
  });

  it('fires a deadline in time or with its outer signal', async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    using late = new Deadline(clock, 50, controller.signal, 'GET /');
    using followed = new Deadline(clock, 500, controller.signal, 'GET /');
    await clock.advance(50);
    assert.ok(late.signal.reason instanceof TimeoutError);
    assert.equal(late.signal.reason.message, 'GET /: no answer within 50 ms');
    const reason = new Error('stop');
    controller.abort(reason);
    assert.equal(followed.signal.reason, reason);
  });

  it('never fires a disposed deadline', async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const deadline = new Deadline(clock, 50, controller.signal, 'GET /');
    deadline[Symbol.dispose]();
    await clock.advance(100);
    controller.abort();
    assert.equal(deadline.signal.aborted, false);
    assert.equal(clock.waiting, 0);
  });

  it('grows delays up to their maximum and resets them', () => {
    const backoff = new Backoff({ initial: 100, factor: 2, maximum: 300, jitter: 1, random: () => 0.5 });
    assert.deepEqual([backoff.next(), backoff.next(), backoff.next(), backoff.next()], [150, 300, 450, 450]);
    backoff.reset();
    assert.equal(backoff.next(), 150);
  });
});
