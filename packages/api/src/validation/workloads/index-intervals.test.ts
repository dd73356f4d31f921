import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countIndexes } from './index-intervals.js';

test('counts indexes, and rejects lists that are unordered or exceed the completions', () => {
  for (const [text, outcome] of [
    ['', 0],
    ['3', 1],
    ['0,2-4,9', 5],
    ['+1', 1],
    ['5-3', 'non-increasing order, previous: 5, current: 3'],
    ['1,1', 'non-increasing order, previous: 1, current: 1'],
    ['0-4,3', 'non-increasing order, previous: 4, current: 3'],
    [
      '1-2-3',
      `the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by '-'`,
    ],
    ['10', 'too large index: "10"'],
    ['1-10', 'too large index: "10"'],
    ['-1', 'cannot convert string to integer for index: ""'],
    ['a', 'cannot convert string to integer for index: "a"'],
    ['1-99999999999999999999', 'cannot convert string to integer for index: "99999999999999999999"'],
  ] as const) {
    assert.equal(countIndexes(text, 10), outcome, text);
  }
});
