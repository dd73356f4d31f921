/** Counts that must not fall below what was reached: a committed JSON file with a line of measures for each name. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** @typedef {Record<string, Record<string, number>>} Thresholds measures by name, for example `{ crud: { exact: 37, status: 38 } }` */

/** @returns {Thresholds} */
export const readThresholds = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** @returns {Thresholds | undefined} undefined if the clone lacks the commit, or the commit lacks the file */
export function thresholdsAt(commit, file) {
  const { status, stdout } = spawnSync('git', ['show', `${commit}:./${basename(file)}`], {
    cwd: dirname(file),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0 ? JSON.parse(stdout) : undefined;
}

/** Writes one line per name, for readable diffs. @param {Thresholds} thresholds */
export function writeThresholds(file, thresholds) {
  const lines = Object.entries(thresholds).map(([name, measures]) => {
    const counts = Object.entries(measures).map(([measure, count]) => `"${measure}": ${count}`);
    return `  "${name}": { ${counts.join(', ')} }`;
  });
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
}

/**
 * A line of text for each threshold that is lower in `after`. A missing name counts as lower.
 *
 * @param {Thresholds} before
 * @param {Thresholds} after
 */
export function lowered(before, after) {
  const faults = [];
  for (const [name, measures] of Object.entries(before)) {
    for (const [measure, threshold] of Object.entries(measures)) {
      const count = after[name]?.[measure] ?? 0;
      if (count < threshold) faults.push(`${name}: ${measure} ${count} is below ${threshold}`);
    }
  }
  return faults;
}

/**
 * The thresholds, raised to every higher count. None becomes lower, and every counted name gets one.
 *
 * @param {Thresholds} thresholds
 * @param {Thresholds} counts
 * @returns {Thresholds}
 */
export function raised(thresholds, counts) {
  const names = [...new Set([...Object.keys(thresholds), ...Object.keys(counts)])].sort();
  return Object.fromEntries(names.map((name) => [name, highest(thresholds[name] ?? {}, counts[name] ?? {})]));
}

function highest(one, other) {
  const measures = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(measures.map((measure) => [measure, Math.max(one[measure] ?? 0, other[measure] ?? 0)]));
}
