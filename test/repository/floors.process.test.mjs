import assert from 'node:assert/strict';
import { test } from 'node:test';
import { floorsFile as coverageFloors } from '../../scripts/coverage/floors.mjs';
import { floorsAt, lowered, readFloors } from '../../scripts/floors.mjs';
import { floorsFile as oracleFloors } from '../oracle/scenarios.mjs';

for (const [what, file] of [
  ['oracle', oracleFloors],
  ['coverage', coverageFloors],
]) {
  for (const commit of ['HEAD', 'HEAD~']) {
    test(`${what} floors are not lower than at ${commit}`, (t) => {
      const before = floorsAt(commit, file);
      if (before === undefined) t.skip('no git, no such commit in this clone, or no floors in it');
      else assert.deepEqual(lowered(before, readFloors(file)), []);
    });
  }
}
