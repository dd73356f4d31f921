/** Counts that have been reached and must not fall again: a committed JSON file, a line of measures by name. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** @typedef {Record<string, Record<string, number>>} Floors measures by name, for example `{ crud: { exact: 37, status: 38 } }` */

/** @returns {Floors} */
export const readFloors = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** @returns {Floors | undefined} undefined where the clone has no such commit, or the commit no such file */
export function floorsAt(commit, file) {
  const { status, stdout } = spawnSync('git', ['show', `${commit}:./${basename(file)}`], {
    cwd: dirname(file),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0 ? JSON.parse(stdout) : undefined;
}

/** Writes one line per name, for readable diffs. @param {Floors} floors */
export function writeFloors(file, floors) {
  const lines = Object.entries(floors).map(([name, measures]) => {
    const counts = Object.entries(measures).map(([measure, count]) => `"${measure}": ${count}`);
    return `  "${name}": { ${counts.join(', ')} }`;
  });
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
}

/**
 * Where the second floors are lower than the first, a line of text each; a name that is gone is lower.
 *
 * @param {Floors} before
 * @param {Floors} after
 */
export function lowered(before, after) {
  const faults = [];
  for (const [name, measures] of Object.entries(before)) {
    for (const [measure, floor] of Object.entries(measures)) {
      const count = after[name]?.[measure] ?? 0;
      if (count < floor) faults.push(`${name}: ${measure} ${count} is below ${floor}`);
    }
  }
  return faults;
}

/**
 * The floors with every higher count taken over; none becomes lower, and every name that was counted gets one.
 *
 * @param {Floors} floors
 * @param {Floors} counts
 * @returns {Floors}
 */
export function raised(floors, counts) {
  const names = [...new Set([...Object.keys(floors), ...Object.keys(counts)])].sort();
  return Object.fromEntries(names.map((name) => [name, highest(floors[name] ?? {}, counts[name] ?? {})]));
}

function highest(one, other) {
  const measures = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(measures.map((measure) => [measure, Math.max(one[measure] ?? 0, other[measure] ?? 0)]));
}
