import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { reportOf, simulate } from '@binnacle/simulation';
import { scenarioOfSeed } from './scenario-of-seed.mjs';

/** Tests that a cluster in trouble keeps its promises, with each seed from `first` to `last`. `skip`: the reason to play none. */
export function playSeeds(first, last, skip = false) {
  describe('a cluster in trouble', { timeout: 900_000, skip }, () => {
    for (let seed = first; seed <= last; seed++) {
      it(`keeps its promises and recovers, seed ${seed}`, async () => {
        const result = await simulate({ seed, scenario: scenarioOfSeed(seed) });
        assert.equal(result.failure, undefined, reportOf(result));
      });
    }
  });
}
