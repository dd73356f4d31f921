import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareResourceVersions } from './resource-version.js';

describe('the order of resource versions', () => {
  for (const [one, other, expected] of [
    ['1', '1', 0],
    ['9', '10', -1],
    ['10', '9', 1],
    ['21', '12', 1],
    ['99999999999999999998', '99999999999999999999', -1],
  ] as const) {
    it(`${one} and ${other}`, () => assert.equal(Math.sign(compareResourceVersions(one, other)), expected));
  }

  for (const wrong of ['', '0', '01', '-1', '1a', ' 1', '1\n']) {
    it(`refuses ${JSON.stringify(wrong)}`, () => {
      for (const [one, other] of [
        [wrong, '1'],
        ['1', wrong],
      ] as const)
        assert.throws(() => compareResourceVersions(one, other), {
          message: `resource version is not well formed: ${wrong}`,
        });
    });
  }
});
