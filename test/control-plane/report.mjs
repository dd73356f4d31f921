/** What a run prints. */

const verdicts = ['exact', 'named', 'settled', 'differs', 'unrecorded'];

/** A line for the scenario, then its first differences. */
export function describeResult({ scenario, verdict, seconds, differences, named = [] }, mostDifferences) {
  const counts = [
    ...(differences.length === 0 ? [] : [`${differences.length} differences`]),
    ...(named.length === 0 ? [] : [`${named.length} named`]),
  ];
  const count = counts.length === 0 ? '' : ` (${counts.join(', ')})`;
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

/** The reasons of the named differences with their counts, then the stale names. Empty without either. */
export function describeNames(results, stale) {
  const counts = new Map();
  for (const { reason } of results.flatMap(({ named = [] }) => named))
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const reasons = [...counts].sort(([, a], [, b]) => b - a);
  return [
    ...reasons.map(([reason, count]) => `${String(count).padStart(5)}  ${reason}`),
    ...stale.map(({ scenarios, text }) => `stale  ${scenarios}: ${text}`),
  ].join('\n');
}

/** From 0 to 1. A scenario with named differences alone counts as exact. */
export function exactShareOf(results) {
  const [exact, named] = countsOf(results);
  return (exact + named) / results.length;
}
