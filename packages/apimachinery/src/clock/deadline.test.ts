import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deadline, sleep, TimeoutError, VirtualClock } from './index.js';

describe('waits', () => {
  it('sleep for the given time', async () => {
    const clock = new VirtualClock();
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

  it('abort a sleep with the reason of its signal and leave no timer', async () => {
    const clock = new VirtualClock();
    const controller = new AbortController();
    const sleeping = sleep(clock, 100, controller.signal);
    controller.abort(new Error('enough'));
    await assert.rejects(sleeping, /enough/);
    await assert.rejects(sleep(clock, 100, AbortSignal.abort('gone')), /gone/);
    assert.equal(clock.waiting, 0);
  });

  it('fire a deadline in time or with its outer signal', async () => {
    const clock = new VirtualClock();
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

  it('never fire a disposed deadline', async () => {
    const clock = new VirtualClock();
    const controller = new AbortController();
    const deadline = new Deadline(clock, 50, controller.signal, 'GET /');
    deadline[Symbol.dispose]();
    await clock.advance(100);
    controller.abort();
    assert.equal(deadline.signal.aborted, false);
    assert.equal(clock.waiting, 0);
  });
});
