import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TimeoutError } from '@binnacle/apimachinery/clock';
import { eventually, VirtualClock } from './index.js';

describe('eventually', () => {
  it('resolves to the result of the first successful attempt', async () => {
    const clock = new VirtualClock();
    let attempts = 0;
    const answer = eventually(
      async () => {
        attempts++;
        assert.ok(attempts > 3, 'too early');
        return attempts;
      },
      { clock, interval: 50 },
    );
    await clock.advance(149);
    assert.equal(attempts, 3);
    await clock.advance(1);
    assert.equal(await answer, 4);
    assert.equal(clock.waiting, 0);
  });

  it('reports the last error at the timeout', async () => {
    const clock = new VirtualClock();
    const wrong = new Error('two, not three');
    const failed = assert.rejects(
      eventually(() => Promise.reject(wrong), { clock, timeout: 100 }),
      (error: unknown) => {
        assert.ok(error instanceof TimeoutError);
        assert.equal(error.message, 'still failing after 100 ms: two, not three');
        return error.cause === wrong;
      },
    );
    await clock.advance(100);
    await failed;
    assert.equal(clock.waiting, 0);
  });

  it('aborts a hanging attempt at the timeout', async () => {
    const clock = new VirtualClock();
    let isAborted = false;
    const failed = assert.rejects(
      eventually(
        (signal) =>
          new Promise(() => {
            signal.addEventListener('abort', () => {
              isAborted = true;
            });
          }),
        { clock, timeout: 100 },
      ),
      /still failing after 100 ms: the first attempt has not ended/,
    );
    await clock.advance(100);
    await failed;
    assert.equal(isAborted, true);
  });

  it('ends with its signal', async () => {
    const controller = new AbortController();
    const clock = new VirtualClock();
    const failed = assert.rejects(
      eventually(() => assert.fail(), { clock, signal: controller.signal }),
      /enough/,
    );
    controller.abort(new Error('enough'));
    await failed;
    assert.equal(clock.waiting, 0);
  });
});
