import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFloat64 } from './parse-float.js';

const numbers: readonly (readonly [text: string, value: number | undefined])[] = [
  ['1_000', 1000],
  ['1_0.0_1e1_0', 10.01e10],
  ['+.5', 0.5],
  ['-Inf', -Infinity],
  ['1e-999', 0],
  ['0x1p-2', 0.25],
  ['-0X_1.8p1', -3],
  ['0x.8p0', 0.5],
  ['0x1p-1074', 5e-324],
  ['0x1.00000000000008p0', 1],
  [`0x1.00000000000008${'0'.repeat(100)}1p0`, 1 + 2 ** -52],
  ['0x1p1024', undefined],
  ['1e309', undefined],
  ['_1', undefined],
  ['1_', undefined],
  ['1__0', undefined],
  ['1_.5', undefined],
  ['1e_5', undefined],
  ['0x1', undefined],
  ['0xp1', undefined],
  ['0x1p1_', undefined],
  ['+nan', undefined],
  ['1 ', undefined],
  ['', undefined],
];

for (const [text, value] of numbers)
  test(`${text.slice(0, 30)} is ${value}`, () => assert.equal(parseFloat64(text), value));

const MANY = 1_000_000;
for (const text of [`${'1'.repeat(MANY)}x`, `0x${'1'.repeat(MANY)}x`, `0x.${'1'.repeat(MANY)}x`])
  test(`${text.slice(0, 5)}... is not a number, which takes no minutes`, () =>
    assert.equal(parseFloat64(text), undefined));
