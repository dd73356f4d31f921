import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { validateResourceAmount } from './quantities.js';

describe('amounts of countable resources', () => {
  const cases: [quantity: string, whole: boolean][] = [
    ['0', true],
    ['1000m', true],
    ['1500m', false],
    ['0.0001', false],
    ['9007199254740993', true],
    // Their thousandths exceed 64 bits.
    ['1E', true],
    ['8Ei', true],
    ['1e30', true],
  ];
  for (const [quantity, whole] of cases) {
    it(`${whole ? 'may' : 'must not'} be ${quantity}`, () => {
      assert.equal(validateResourceAmount('example.com/device', quantity, 'a').length === 0, whole);
    });
  }
});
