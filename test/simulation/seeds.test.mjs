import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { reportOf, simulate } from '@binnacle/simulation';
import { isThorough } from '../thorough.mjs';
import { scenarioOfSeed } from './scenario-of-seed.mjs';

/** `npm run simulate -- --seeds 1000` plays more. */
const SEEDS = isThorough || process.env.CI !== undefined ? 50 : 10;

describe('a cluster in trouble', { timeout: 600_000 }, () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    it(`keeps its promises and recovers, seed ${seed}`, async () => {
      const result = await simulate({ seed, scenario: scenarioOfSeed(seed) });
      assert.equal(result.failure, undefined, reportOf(result));
    });
  }
});
