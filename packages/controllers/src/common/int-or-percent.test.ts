import assert from 'node:assert/strict';
import { it } from 'node:test';
import { scaledValue } from './int-or-percent.js';

for (const [value, total, up, down] of [
  [3, 10, 3, 3],
  ['25%', 10, 3, 2],
  ['25%', 3, 1, 0],
  ['0%', 3, 0, 0],
  ['100%', 7, 7, 7],
  ['150%', 2, 3, 3],
  ['33%', 100, 33, 33],
  ['25', 10, 0, 0],
  ['a%', 10, 0, 0],
  [undefined, 10, 0, 0],
] as const) {
  it(`${value ?? 'nothing'} of ${total} is ${up} or ${down}`, () => {
    assert.deepEqual([scaledValue(value, total, 'up'), scaledValue(value, total, 'down')], [up, down]);
  });
}
