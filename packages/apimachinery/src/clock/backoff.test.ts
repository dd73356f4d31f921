import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Backoff, randomOf } from './index.js';

describe('backoff', () => {
  it('grows delays up to their maximum and resets them', () => {
    const jitter = { share: 1, random: randomOf(() => 0.5) };
    const backoff = new Backoff({ initial: 100, factor: 2, maximum: 300, jitter });
    assert.deepEqual([backoff.next(), backoff.next(), backoff.next(), backoff.next()], [150, 300, 450, 450]);
    backoff.reset();
    assert.equal(backoff.next(), 150);
  });

  it('doubles without jitter by default, and never beyond the maximum', () => {
    const backoff = new Backoff({ initial: 5, maximum: 1_000_000 });
    const delays = [0, 1, 2, 17, 18, 10_000].map((retries) => backoff.delay(retries));
    assert.deepEqual(delays, [5, 10, 20, 655_360, 1_000_000, 1_000_000]);
  });

  it('keeps a delay constant with factor 1', () => {
    const backoff = new Backoff({ initial: 10, factor: 1, jitter: { share: 0.1, random: randomOf(() => 0) } });
    assert.deepEqual([backoff.next(), backoff.next(), backoff.next()], [10, 10, 10]);
  });
});
