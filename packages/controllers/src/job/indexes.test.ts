import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  countCommonIndexes,
  countIndexes,
  formatIndexes,
  freeIndexes,
  hasIndex,
  parseIndexes,
  withIndexes,
} from './indexes.js';

describe('completion indexes', () => {
  for (const [text, completions, canonical] of [
    ['', 5, ''],
    ['1', 5, '1'],
    ['1,3-5', 9, '1,3-5'],
    ['1,2', 9, '1,2'],
    ['1-2', 9, '1,2'],
    ['1,2,3', 9, '1-3'],
    ['1,3-8', 5, '1,3,4'],
    ['1,5,6', 5, '1'],
    ['x,2,3-y,4', 9, '2,4'],
  ] as const) {
    it(`${text} of ${completions} is ${canonical}`, () =>
      assert.equal(formatIndexes(parseIndexes(text, completions)), canonical));
  }

  for (const [taken, count, completions, free] of [
    ['', 2, 5, [0, 1]],
    ['0,2', 2, 5, [1, 3]],
    ['0-3', 9, 6, [4, 5]],
    ['0-5', 9, 6, []],
    ['1', 0, 6, []],
    ['', 2, 1_000_000_000, [0, 1]],
  ] as const) {
    it(`${count} free ones besides ${taken} of ${completions}: ${free.join()}`, () =>
      assert.deepEqual(freeIndexes(parseIndexes(taken, completions), count, completions), free));
  }

  it('are sets of numbers', () => {
    const anyIndexes = fc.uniqueArray(fc.nat(20), { maxLength: 12 });
    fc.assert(
      fc.property(anyIndexes, anyIndexes, (some, others) => {
        const intervals = withIndexes(withIndexes([], some), others);
        const all = new Set([...some, ...others]);
        assert.equal(countIndexes(intervals), all.size);
        for (let index = 0; index <= 20; index++) assert.equal(hasIndex(intervals, index), all.has(index));
        assert.deepEqual(parseIndexes(formatIndexes(intervals), 21), intervals);
        const common = countCommonIndexes(withIndexes([], some), withIndexes([], others));
        assert.equal(common, some.filter((index) => others.includes(index)).length);
      }),
    );
  });
});
