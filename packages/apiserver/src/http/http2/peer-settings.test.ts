import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConnectionError } from './error-codes.js';
import { SETTINGS, settingsFrame } from './frames.js';
import { isConfirmation, readSettings } from './peer-settings.js';

const payload = (...settings: readonly (readonly [number, number])[]): Buffer => settingsFrame(settings).subarray(9);

describe('the settings of a client', () => {
  it('are the last value of each', () => {
    assert.deepEqual(readSettings(payload([4, 1], [5, 20_000], [1, 0], [2, 0], [99, 5], [4, 2])), {
      initialWindowSize: 2,
      maxFrameSize: 20_000,
    });
    assert.deepEqual(readSettings(payload()), {});
  });

  it('have limits', () => {
    for (const [identifier, value, code] of [
      [2, 2, 1],
      [4, 2 ** 31, 3],
      [5, 16_383, 1],
      [5, 2 ** 24, 1],
    ] as const) {
      assert.throws(
        () => readSettings(payload([identifier, value])),
        (error) => error instanceof ConnectionError && error.code === code,
      );
    }
    assert.throws(() => readSettings(Buffer.alloc(5)), ConnectionError);
  });

  it('differ from a confirmation, which is empty', () => {
    const frame = { type: SETTINGS, flags: 1, streamId: 0, payload: Buffer.alloc(0) };
    assert.equal(isConfirmation(frame), true);
    assert.equal(isConfirmation({ ...frame, flags: 0 }), false);
    assert.throws(() => isConfirmation({ ...frame, payload: Buffer.alloc(6) }), ConnectionError);
    assert.throws(() => isConfirmation({ ...frame, streamId: 1 }), ConnectionError);
  });
});
