const LINE = /^apiserver_request_total\{(?<labels>[^}]*)\} (?<count>\S+)$/gm;
const READS = new Set(['GET', 'LIST', 'WATCH', 'WATCHLIST', 'CONNECT']);

/** The requests for resources that a server has counted since its start: `{ 'POST pods': 3 }`. `metrics` is the text of `/metrics`. */
export function requestCounts(metrics) {
  const counts = {};
  for (const { groups } of metrics.matchAll(LINE)) {
    const label = (name) => new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(groups.labels)?.[1] ?? '';
    if (label('resource') === '') continue;
    const subresource = label('subresource') === '' ? '' : `/${label('subresource')}`;
    const name = `${label('verb')} ${label('resource')}${subresource}`;
    counts[name] = (counts[name] ?? 0) + Number(groups.count);
  }
  return counts;
}

/** The requests of `after` that are not in `before`. */
export function newRequests(before, after) {
  const entries = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]);
  return Object.fromEntries(entries.filter(([, count]) => count > 0));
}

export const sumOf = (counts) => Object.values(counts).reduce((sum, count) => sum + count, 0);

export const writesOf = (counts) =>
  Object.fromEntries(Object.entries(counts).filter(([name]) => !READS.has(name.split(' ')[0])));
