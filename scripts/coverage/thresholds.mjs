/** The share of each package's lines that unit tests must cover, in whole percents. It only rises. */
import { fileURLToPath } from 'node:url';
import { percent } from './report.mjs';

export const thresholdsFile = fileURLToPath(new URL('thresholds.json', import.meta.url));

/**
 * The thresholds that a run reaches. Half a percent is left for lines that depend on timing.
 *
 * @param {Map<string, { lines: number, covered: number }>} packages
 * @returns {import('../thresholds.mjs').Thresholds}
 */
export const reachedThresholds = (packages) =>
  Object.fromEntries([...packages].map(([name, sum]) => [name, { lines: Math.floor(percent(sum) - 0.5) }]));

/** The counts that a run's thresholds are compared with: exact shares, cut to one decimal. */
export const sharesOf = (packages) =>
  Object.fromEntries([...packages].map(([name, sum]) => [name, { lines: Math.floor(percent(sum) * 10) / 10 }]));
