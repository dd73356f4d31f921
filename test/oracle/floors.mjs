import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { oracleFolder } from './scenarios.mjs';

const floorsFile = join(oracleFolder, 'floors.json');

/**
 * What has been reached and must not be lost again, by scenario.
 *
 * @typedef {Record<string, { exact: number, status: number }>} Floors
 */

/** @returns {Floors} */
export const readFloors = () => JSON.parse(readFileSync(floorsFile, 'utf8'));

/**
 * Writes one line per scenario, for readable diffs.
 *
 * @param {Floors} floors
 */
export function writeFloors(floors) {
  const lines = Object.entries(floors).map(
    ([scenario, { exact, status }]) => `  "${scenario}": { "exact": ${exact}, "status": ${status} }`,
  );
  writeFileSync(floorsFile, `{\n${lines.join(',\n')}\n}\n`);
}

/**
 * Where the second floors are lower than the first, a line of text each; a scenario that is gone is lower.
 *
 * @param {Floors} before
 * @param {Floors} after
 */
export function lowered(before, after) {
  const faults = [];
  for (const [scenario, floor] of Object.entries(before)) {
    for (const measure of ['exact', 'status']) {
      const count = after[scenario]?.[measure] ?? 0;
      if (count < floor[measure]) faults.push(`${scenario}: ${measure} ${count} is below ${floor[measure]}`);
    }
  }
  return faults;
}

/**
 * The floors with every higher count taken over; none becomes lower, and every scenario that was counted gets one.
 *
 * @param {Floors} floors
 * @param {Record<string, import('./run.mjs').Counts>} counts
 * @returns {Floors}
 */
export function raised(floors, counts) {
  const scenarios = [...new Set([...Object.keys(floors), ...Object.keys(counts)])].sort();
  return Object.fromEntries(
    scenarios.map((scenario) => {
      const higher = (measure) => Math.max(floors[scenario]?.[measure] ?? 0, counts[scenario]?.[measure] ?? 0);
      return [scenario, { exact: higher('exact'), status: higher('status') }];
    }),
  );
}
