import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { slowStart } from './slow-start.js';

async function run(count: number, failing: readonly number[] = []) {
  const batches: number[][] = [];
  const { succeeded, error } = await slowStart(count, async (index) => {
    const latest = batches.at(-1);
    if (latest?.includes(index - 1) === true) latest.push(index);
    else batches.push([index]);
    // Calls of one batch start in one turn.
    await new Promise((resolve) => setImmediate(resolve));
    batches.push([]);
    if (failing.includes(index)) throw new Error(`no ${index}`);
  });
  const sizes = batches.map(({ length }) => length).filter((length) => length > 0);
  return [sizes, succeeded, error instanceof Error ? error.message : error];
}

describe('slow start', () => {
  for (const [count, failing, expected] of [
    [0, [], [[], 0, undefined]],
    [1, [], [[1], 1, undefined]],
    [10, [], [[1, 2, 4, 3], 10, undefined]],
    [10, [0], [[1], 0, 'no 0']],
    [100, [4, 5], [[1, 2, 4], 5, 'no 4']],
  ] as const) {
    it(`calls ${count} times in doubling batches, up to a failure of ${failing.join(' and ') || 'none'}`, async () => {
      assert.deepEqual(await run(count, failing), expected);
    });
  }
});
