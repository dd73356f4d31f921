/** What a run prints. */

const verdicts = ['exact', 'settled', 'differs', 'unrecorded'];

/** A line for the scenario, then its first differences. */
export function describeResult({ scenario, verdict, seconds, differences }, mostDifferences) {
  const count = differences.length === 0 ? '' : ` (${differences.length} differences)`;
  const shown = differences.slice(0, mostDifferences).map((difference) => `      ${difference}`);
  return [`${scenario.padEnd(46)} ${verdict}${count} ${seconds} s`, ...shown].join('\n');
}

/** A table of verdicts by area, with a total. */
export function summarize(results) {
  const areas = [...new Set(results.map(({ area }) => area))].sort();
  const rows = [
    ['area', ...verdicts],
    ...areas.map((area) => [area, ...countsOf(results.filter((result) => result.area === area))]),
    ['total', ...countsOf(results)],
  ];
  return rows
    .map(([name, ...cells]) => name.padEnd(14) + cells.map((cell) => String(cell).padStart(11)).join(''))
    .join('\n');
}

const countsOf = (results) => verdicts.map((verdict) => results.filter((result) => result.verdict === verdict).length);

/** From 0 to 1. */
export const exactShareOf = (results) => countsOf(results)[0] / results.length;
