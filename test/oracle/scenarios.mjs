import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const oracleFolder = dirname(fileURLToPath(import.meta.url));
const scenarioFolder = join(oracleFolder, 'scenarios');
const recordingFolder = join(oracleFolder, 'recorded');

/** Names of all scenarios, in the order in which they were recorded; files that begin with `_` are helpers. */
export function scenarioNames() {
  return readdirSync(scenarioFolder)
    .filter((file) => file.endsWith('.mjs') && !file.startsWith('_'))
    .map((file) => basename(file, '.mjs'))
    .sort();
}

/** @returns {Promise<import('./play.mjs').Step[]>} */
export const loadSteps = (scenario) => loadStepsOfFile(join(scenarioFolder, `${scenario}.mjs`));

/** @returns {Promise<import('./play.mjs').Step[]>} */
export async function loadStepsOfFile(file) {
  return (await import(pathToFileURL(file).href)).default;
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
