/** Consecutive completion indexes, both ends included. */
export interface Interval {
  readonly first: number;
  readonly last: number;
}

/** Disjoint, in ascending order, and not adjacent to one another. */
export type Intervals = readonly Interval[];

/** Reads `1,3-5`. Leaves out malformed parts and indexes from `completions` on. Upstream: `parseIndexesFromString`. */
export function parseIndexes(text: string | undefined, completions: number): Intervals {
  if (text === undefined || text === '') return [];
  const intervals: Interval[] = [];
  for (const part of text.split(',')) {
    const match = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(part);
    if (match === null) continue;
    const first = Number(match[1]);
    if (first >= completions) break;
    const last = Math.min(Number(match[2] ?? first), completions - 1);
    intervals.push({ first, last });
  }
  return mergeIndexes(intervals, []);
}

/** Writes `1,3-5`: two consecutive indexes are a list, more are a range. */
export function formatIndexes(intervals: Intervals): string {
  return intervals.map(formatInterval).join();
}

export function countIndexes(intervals: Intervals): number {
  return intervals.reduce((count, { first, last }) => count + last - first + 1, 0);
}

export function hasIndex(intervals: Intervals, index: number): boolean {
  let low = 0;
  let high = intervals.length;
  while (high > low) {
    const middle = (low + high) >>> 1;
    if ((intervals[middle]?.last ?? index) >= index) high = middle;
    else low = middle + 1;
  }
  const found = intervals[low];
  return found !== undefined && found.first <= index;
}

export function withIndexes(intervals: Intervals, indexes: Iterable<number>): Intervals {
  const added = [...new Set(indexes)].toSorted((one, other) => one - other);
  return mergeIndexes(
    intervals,
    added.map((index) => ({ first: index, last: index })),
  );
}

export function mergeIndexes(some: Intervals, others: Intervals): Intervals {
  const merged: Interval[] = [];
  for (const next of [...some, ...others].toSorted((one, other) => one.first - other.first)) {
    const before = merged.at(-1);
    if (before === undefined || next.first > before.last + 1) merged.push(next);
    else merged[merged.length - 1] = { first: before.first, last: Math.max(before.last, next.last) };
  }
  return merged;
}

/** The number of indexes in both. */
export function countCommonIndexes(some: Intervals, others: Intervals): number {
  let common = 0;
  for (let one = 0, other = 0; ; ) {
    const [left, right] = [some[one], others[other]];
    if (left === undefined || right === undefined) return common;
    common += Math.max(0, Math.min(left.last, right.last) - Math.max(left.first, right.first) + 1);
    if (left.last <= right.last) one++;
    if (right.last <= left.last) other++;
  }
}

/** The first `count` indexes below `completions` that are not taken. Its cost does not depend on `completions`. */
export function freeIndexes(taken: Intervals, count: number, completions: number): number[] {
  const free: number[] = [];
  let candidate = 0;
  for (const { first, last } of [...taken, { first: completions, last: completions }]) {
    for (; candidate < Math.min(first, completions) && free.length < count; candidate++) free.push(candidate);
    candidate = Math.max(candidate, last + 1);
  }
  return free;
}

function formatInterval({ first, last }: Interval): string {
  if (first === last) return `${first}`;
  return last === first + 1 ? `${first},${last}` : `${first}-${last}`;
}
