import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { validityOf } from './validity.js';

const now = Date.UTC(2027, 0, 1);
const MINUTE = 60_000;
const YEAR = 365 * 24 * 60 * MINUTE;

describe('the validity of a certificate', () => {
  for (const [what, seconds, authorityEnds, minutes] of [
    ['is the default', undefined, 2 * YEAR, YEAR / MINUTE - 5],
    ['is what the request wants', 24 * 3600, 2 * YEAR, 24 * 60 - 5],
    ['is not shortened if it is short', 3600, 2 * YEAR, 60],
    ['is at least ten minutes', 1, 2 * YEAR, 10],
    ['is at most the default', 800 * 24 * 3600, 2 * YEAR, YEAR / MINUTE - 5],
    ['ends with that of the authority', undefined, 90 * MINUTE, 90],
  ] as const) {
    it(what, () => {
      const { notBefore, notAfter } = validityOf(seconds, YEAR, now + authorityEnds, now);
      assert.deepEqual([(now - notBefore) / MINUTE, (notAfter - now) / MINUTE], [5, minutes]);
    });
  }

  it('is refused when the authority has expired', () => {
    assert.throws(() => validityOf(undefined, YEAR, now, now), /the signer has expired/);
  });
});
