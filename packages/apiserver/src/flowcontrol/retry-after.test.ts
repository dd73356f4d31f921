import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RetryAfter } from './retry-after.js';

/** The pauses that clients are told, second by second, when so many requests are refused in each. Upstream: `TestDroppedRequestsTracker`. */
function pauses(refusals: readonly number[]): readonly number[] {
  const tracker = new RetryAfter();
  return refusals.map((count, second) => {
    for (let refusal = 0; refusal < count; refusal++) tracker.refused(second * 1000 + refusal);
    return tracker.seconds;
  });
}

describe('RetryAfter', () => {
  it('stays at a second while few requests are refused', () => {
    assert.deepEqual(pauses([1, 2, 1, 0, 2]), [1, 1, 1, 1, 1]);
  });

  it('doubles while many are refused, at most once within its own length, up to 32 seconds', () => {
    const told = pauses(Array.from({ length: 100 }, () => 100));
    assert.deepEqual(told.slice(0, 8), [1, 2, 2, 4, 4, 4, 4, 8]);
    assert.equal(told.at(-1), 32);
  });

  it('shrinks by a second when few are refused', () => {
    const told = pauses([...Array.from({ length: 8 }, () => 100), ...Array.from({ length: 40 }, () => 0), 1, 0, 1]);
    assert.deepEqual([told[7], told.at(-3), told.at(-1)], [8, 7, 6]);
  });
});
