import assert from 'node:assert/strict';
import { it } from 'node:test';
import { roundUpToMilli } from './resource-list.js';

it('rounds amounts below thousandths up and keeps the canonical form', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['1n', '1m'],
    ['999999999n', '1'],
    ['1000001n', '2m'],
    ['1500u', '2m'],
    ['-1500u', '-2m'],
    ['999999999999u', '1M'],
    ['1e-9', '1e-3'],
    ['5e-6', '1e-3'],
    ['100m', '100m'],
    ['1Gi', '1Gi'],
    ['0', '0'],
    ['1e3', '1e3'],
  ];
  for (const [amount, expected] of cases) assert.equal(roundUpToMilli(amount), expected, amount);
});
