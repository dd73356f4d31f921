import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { forEachConcurrently } from './for-each-concurrently.js';

describe('forEachConcurrently', () => {
  it('works on all items in their order, so many at a time', async () => {
    const begun: number[] = [];
    let running = 0;
    let most = 0;
    await forEachConcurrently([1, 2, 3, 4, 5], 2, async (item) => {
      begun.push(item);
      most = Math.max(most, (running += 1));
      await nextTurn();
      running -= 1;
    });
    assert.deepEqual([begun, most], [[1, 2, 3, 4, 5], 2]);
    await forEachConcurrently([], 2, () => assert.fail('there is no item'));
  });

  it('starts nothing after a failure, and rejects with it when all have settled', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const work = async (item: number): Promise<void> => {
      begun.push(item);
      if (item === 1) throw new Error('the first');
      await nextTurn();
      ended.push(item);
    };
    await assert.rejects(forEachConcurrently([1, 2, 3, 4], 2, work), /the first/);
    assert.deepEqual([begun, ended], [[1, 2], [2]]);
  });
});
