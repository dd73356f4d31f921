import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { runScenario } from './run.mjs';
import { oracleFolder, scenarioNames } from './scenarios.mjs';
import { accessOf, startServer } from './server.mjs';

const root = resolve(oracleFolder, '..', '..');
const runFile = join(root, '.cache', 'oracle-run.json');

/**
 * The last whole run of what is built now, or a new one on a server of its own: the tests, the floors and the page on
 * compatibility speak of the same run.
 *
 * @returns {Promise<import('./run.mjs').Run>}
 */
export async function currentRun() {
  const state = stateOfTheBuild();
  const saved = readSaved();
  if (saved?.state === state) return saved.run;
  const server = await startServer();
  try {
    const run = {};
    for (const scenario of scenarioNames()) run[scenario] = await runScenario(scenario, accessOf(server));
    saveRun(run, state);
    return run;
  } finally {
    await server.stop();
  }
}

/**
 * Keeps a run of all scenarios.
 *
 * @param {import('./run.mjs').Run} run
 * @param {string} state what {@link stateOfTheBuild} said before the run
 */
export function saveRun(run, state) {
  mkdirSync(dirname(runFile), { recursive: true });
  writeFileSync(runFile, JSON.stringify({ state, run }));
}

/** Changes whenever a built file, a scenario, a recording or the player does: names, sizes and times, not contents. */
export function stateOfTheBuild() {
  const hash = createHash('sha256');
  for (const file of filesThatCount()) {
    const { mtimeMs, size } = statSync(file);
    hash.update(`${file}\0${mtimeMs}\0${size}\n`);
  }
  return hash.digest('hex');
}

function filesThatCount() {
  const packages = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name, 'dist'));
  return [...packages, oracleFolder]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
    .filter((file) => /\.(js|mjs|jsonl)$/.test(file) && !/\.test\.m?js$/.test(file))
    .sort();
}

function readSaved() {
  try {
    return JSON.parse(readFileSync(runFile, 'utf8'));
  } catch {
    return undefined;
  }
}
