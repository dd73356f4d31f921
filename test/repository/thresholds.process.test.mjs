import assert from 'node:assert/strict';
import { test } from 'node:test';
import { thresholdsFile as coverageThresholds } from '../../scripts/coverage/thresholds.mjs';
import { thresholdsAt, lowered, readThresholds } from '../../scripts/thresholds.mjs';
import { thresholdsFile as oracleThresholds } from '../oracle/scenarios.mjs';

for (const [what, file] of [
  ['oracle', oracleThresholds],
  ['coverage', coverageThresholds],
]) {
  for (const commit of ['HEAD', 'HEAD~']) {
    test(`${what} thresholds are not lower than at ${commit}`, (t) => {
      const before = thresholdsAt(commit, file);
      if (before === undefined) t.skip('no git, no such commit in this clone, or no thresholds in it');
      else assert.deepEqual(lowered(before, readThresholds(file)), []);
    });
  }
}
