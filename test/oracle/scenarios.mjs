import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const oracleFolder = dirname(fileURLToPath(import.meta.url));
/** How many steps of each scenario are exact and have the recorded status, at least. */
export const thresholdsFile = join(oracleFolder, 'thresholds.json');
const scenarioFolder = join(oracleFolder, 'scenarios');
const recordingFolder = join(oracleFolder, 'recorded');

/** Names of all scenarios, in the order in which they were recorded; files that begin with `_` are helpers. */
export function scenarioNames() {
  return readdirSync(scenarioFolder)
    .filter((file) => file.endsWith('.mjs') && !file.startsWith('_'))
    .map((file) => basename(file, '.mjs'))
    .sort();
}

/**
 * @typedef {object} Scenario
 * @property {import('./play.mjs').Step[]} steps
 * @property {boolean} fresh whether it needs a server of its own
 * @property {{ args: string[], files: Record<string, string> }} flags of the server; `${dir}` is where the files are
 * @property {string} controllers the control loops that run in the server
 * @property {(options: { url: string, token: string, dir?: string }) => Promise<import('./play.mjs').World>} setup
 */

/** @returns {Promise<Scenario>} */
export const loadScenario = (name) => loadScenarioFile(join(scenarioFolder, `${name}.mjs`));

/** @returns {Promise<Scenario>} */
export async function loadScenarioFile(file) {
  const module = await import(pathToFileURL(file).href);
  return {
    steps: module.default,
    fresh: module.fresh ?? false,
    flags: module.flags ?? { args: [], files: {} },
    controllers: module.controllers ?? '',
    setup: module.setup ?? (async () => ({})),
  };
}

/** @returns {import('./play.mjs').Result[]} */
export function loadRecording(scenario) {
  const lines = readFileSync(join(recordingFolder, `${scenario}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line));
}

/** A recording as text: one line per step. */
export const formatRecording = (results) => results.map((result) => `${JSON.stringify(result)}\n`).join('');
