import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { lowered, readFloors } from './floors.mjs';
import { oracleFolder } from './scenarios.mjs';

/** @returns {import('./floors.mjs').Floors | undefined} undefined where there is no such commit, or none that has floors */
function floorsAt(commit) {
  const { status, stdout } = spawnSync('git', ['show', `${commit}:./floors.json`], {
    cwd: oracleFolder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0 ? JSON.parse(stdout) : undefined;
}

for (const commit of ['HEAD', 'HEAD~']) {
  test(`floors are not lower than at ${commit}`, (t) => {
    const before = floorsAt(commit);
    if (before === undefined) t.skip('no git, no such commit in this clone, or no floors in it');
    else assert.deepEqual(lowered(before, readFloors()), []);
  });
}
