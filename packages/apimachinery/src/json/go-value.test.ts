import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatGoValue } from './index.js';

test('values are printed as Go prints them', () => {
  const value = { b: [1, 'x', null], a: { c: true }, d: 1.5, e: 1e-7 };
  assert.equal(formatGoValue(value), 'map[a:map[c:true] b:[1 x <nil>] d:1.5 e:1e-07]');
});

const numbers: readonly (readonly [value: number | bigint, text: string])[] = [
  [100_000, '100000'],
  [1_000_000, '1000000'],
  [-1_234_567, '-1234567'],
  [1_234_567.5, '1.2345675e+06'],
  [9_007_199_254_740_993n, '9007199254740993'],
  [-0, '0'],
  [1e20, '1e+20'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
];

for (const [value, text] of numbers) {
  test(`${value} is printed as ${text}`, () => assert.equal(formatGoValue(value), text));
}
