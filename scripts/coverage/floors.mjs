/** The share of each package's lines that unit tests must cover, in whole percents. It only rises. */
import { fileURLToPath } from 'node:url';
import { percent } from './report.mjs';

export const floorsFile = fileURLToPath(new URL('floors.json', import.meta.url));

/**
 * The floors that a run reaches. Half a percent is left for lines that depend on timing.
 *
 * @param {Map<string, { lines: number, covered: number }>} packages
 * @returns {import('../floors.mjs').Floors}
 */
export const reachedFloors = (packages) =>
  Object.fromEntries([...packages].map(([name, sum]) => [name, { lines: Math.floor(percent(sum) - 0.5) }]));

/** The counts that a run's floors are compared with: exact shares, cut to one decimal. */
export const sharesOf = (packages) =>
  Object.fromEntries([...packages].map(([name, sum]) => [name, { lines: Math.floor(percent(sum) * 10) / 10 }]));
