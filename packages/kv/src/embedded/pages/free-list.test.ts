import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { freeRuns } from './free-list.js';

function list(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 8);
  for (const [index, number] of numbers.entries()) bytes.writeBigInt64LE(BigInt(number), index * 8);
  return bytes;
}

describe('freeRuns', () => {
  it('reads pages, runs and gaps', () => {
    assert.deepEqual(freeRuns(list(0)), []);
    assert.deepEqual(freeRuns(list(6, 9, 0, -3, 5, 0, 2)), [
      { first: 9, count: 1 },
      { first: 5, count: 3 },
      { first: 2, count: 1 },
    ]);
  });

  it('ignores numbers after the count', () => {
    assert.deepEqual(freeRuns(list(1, 9, 8, 7)), [{ first: 9, count: 1 }]);
  });

  it('rejects a count without its numbers, and a length without its page', () => {
    for (const damaged of [Buffer.alloc(4), list(2, 9), list(2, 9, -3), list(2, -3, 0), list(3, -3, -2, 5)]) {
      assert.equal(freeRuns(damaged), undefined);
    }
  });
});
