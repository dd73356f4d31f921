import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle } from '@binnacle/apimachinery/clock';
import { SharedCall } from './shared-call.js';

/** Calls that the test ends, each with its number. */
function world() {
  const ends: ((error?: Error) => void)[] = [];
  const shared = new SharedCall(
    () =>
      new Promise<number>((resolve, reject) => {
        const number = ends.length;
        ends.push((error) => (error === undefined ? resolve(number) : reject(error)));
      }),
  );
  return { shared, ends };
}

describe('SharedCall', () => {
  it('begins at once when none is under way', async () => {
    const { shared, ends } = world();
    for (const number of [0, 1]) {
      const asked = shared.ask();
      ends[number]?.();
      assert.equal(await asked, number);
    }
  });

  it('gives all that ask meanwhile the next call, never the one under way', async () => {
    const { shared, ends } = world();
    const first = shared.ask();
    const meanwhile = [shared.ask(), shared.ask(), shared.ask()];
    assert.equal(ends.length, 1);
    ends[0]?.();
    assert.equal(await first, 0);
    await settle();
    assert.equal(ends.length, 2);
    const later = shared.ask();
    ends[1]?.();
    assert.deepEqual(await Promise.all(meanwhile), [1, 1, 1]);
    await settle();
    ends[2]?.();
    assert.equal(await later, 2);
  });

  it('fails for those that share a call, and for no other', async () => {
    const { shared, ends } = world();
    const [first, second] = [shared.ask(), shared.ask()];
    ends[0]?.(new Error('no'));
    await assert.rejects(first, /no/);
    await settle();
    ends[1]?.();
    assert.equal(await second, 1);
  });
});
