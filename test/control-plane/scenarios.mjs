/** The scenarios and their recordings. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { print } from './record.mjs';

const folder = new URL('scenarios/', import.meta.url);
const recordingOf = (area) => new URL(`recorded/${area}.json`, import.meta.url);

export const areas = readdirSync(folder)
  .filter((file) => file.endsWith('.mjs') && !file.startsWith('_'))
  .map((file) => file.replace('.mjs', ''))
  .sort();

/**
 * All scenarios: `{ name: 'area/scenario', area, run, slow, ownsNodes }`. One with `ownsNodes` needs a server without
 * nodes and plays alone. `slow` is larger for those that take longer.
 */
export async function loadScenarios() {
  const scenarios = [];
  for (const area of areas) {
    const { default: entries } = await import(new URL(`${area}.mjs`, folder).href);
    for (const [name, entry] of Object.entries(entries)) {
      const { run, slow = 0, nodes } = typeof entry === 'function' ? { run: entry } : entry;
      scenarios.push({ name: `${area}/${name}`, area, run, slow, ownsNodes: nodes === 'own' });
    }
  }
  return scenarios;
}

/** The recordings of an area, by the name of the scenario within it. */
export function readRecordings(area) {
  const file = recordingOf(area);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

export const writeRecordings = (area, recordings) => writeFileSync(recordingOf(area), print(recordings));
