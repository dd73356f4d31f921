import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixedText, groupedText, scientificText } from './doubles-as-text.js';

test('halves are rounded to the even digit, and other numbers by all of their digits', () => {
  assert.deepEqual(
    [0.5, 1.5, 2.5, -2.5, 0.4999999, 1234.5].map((value) => fixedText(value, 0)),
    ['0', '2', '2', '-2', '0', '1234'],
  );
  assert.deepEqual(
    [0.05, 0.15, 0.25, -0].map((value) => fixedText(value, 1)),
    ['0.1', '0.1', '0.2', '-0.0'],
  );
  assert.equal(fixedText(1e22, 6), '10000000000000000000000.000000');
  assert.equal(fixedText(0.1, 30), '0.100000000000000005551115123126');
});

test('thousands are separated by commas', () => {
  assert.equal(groupedText(-1_234_567.125, 2), '-1,234,567.12');
  assert.equal(groupedText(999_999.9999999, 1), '1,000,000.0');
  assert.equal(groupedText(123, 0), '123');
  assert.equal(groupedText(-Infinity, 3), '-∞');
});

test('exponents are powers of ten in superscripts', () => {
  assert.equal(scientificText(0.00001234, 0), '1.234000×10⁻⁰⁵');
  assert.equal(scientificText(9.99999951, 0), '1.000000×10⁰¹');
  assert.equal(scientificText(8_388_608.5, 0), '8.388608×10⁰⁶');
  assert.equal(scientificText(5e-324, 18), '   4.940656×10⁻³²⁴');
  assert.equal(scientificText(0, 0), '0.000000×10⁰⁰');
  assert.equal(scientificText(Number.NaN, 5), '  NaN');
});
