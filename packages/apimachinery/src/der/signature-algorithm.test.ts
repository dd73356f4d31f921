import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isStrongRsaKey } from './index.js';

describe('isStrongRsaKey', () => {
  const cases: readonly (readonly [what: string, bits: number, exponent: bigint, expected: boolean])[] = [
    ['of 1024 bits', 1024, 65_537n, true],
    ['with the exponent 3', 2048, 3n, true],
    ['with the largest exponent', 2048, 2n ** 31n - 1n, true],
    ['that is too short', 1023, 65_537n, false],
    ['with the exponent 1', 2048, 1n, false],
    ['with an even exponent', 2048, 65_536n, false],
    ['with an exponent that is too large', 2048, 2n ** 31n + 1n, false],
  ];
  for (const [what, modulusLength, publicExponent, expected] of cases) {
    it(`${expected ? 'accepts' : 'refuses'} a key ${what}`, () => {
      assert.equal(isStrongRsaKey({ modulusLength, publicExponent }), expected);
    });
  }
});
