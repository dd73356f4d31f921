import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runAll } from './run-all.mjs';
import { oracleFolder, scenarioNames } from './scenarios.mjs';

const root = resolve(oracleFolder, '..', '..');
const savedFolder = join(root, '.cache', 'oracle');

/**
 * The last verdicts of what is built now, or those of a new run: the tests, the thresholds and the page on compatibility
 * speak of the same run.
 *
 * @returns {Promise<import('./run.mjs').Run>} all scenarios, in the order of their names
 */
export async function currentRun() {
  const state = stateOfTheBuild();
  const names = scenarioNames();
  const saved = new Map(names.map((name) => [name, readSaved(name, state)]));
  const missing = names.filter((name) => saved.get(name) === undefined);
  const played = await runAll({ only: missing, each: (name, verdicts) => saveVerdicts(name, verdicts, state) });
  return Object.fromEntries(names.map((name) => [name, saved.get(name) ?? played[name]]));
}

/**
 * Keeps the verdicts of a scenario.
 *
 * @param {string} name
 * @param {import('./judge.mjs').Verdict[]} verdicts
 * @param {string} state what {@link stateOfTheBuild} said before the run
 */
export function saveVerdicts(name, verdicts, state) {
  mkdirSync(savedFolder, { recursive: true });
  writeFileSync(fileOf(name), JSON.stringify({ state, verdicts }));
}

const fileOf = (name) => join(savedFolder, `${name}.json`);

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

/** @returns {import('./judge.mjs').Verdict[] | undefined} */
function readSaved(name, state) {
  try {
    const saved = JSON.parse(readFileSync(fileOf(name), 'utf8'));
    return saved.state === state ? saved.verdicts : undefined;
  } catch {
    return undefined;
  }
}
