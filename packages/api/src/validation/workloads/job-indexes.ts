import { quoteGo } from '@binnacle/apimachinery/status';

// Indexes of a job as its status lists them: `1,3-5,7`. Upstream: `validateIndexesFormat`.

type Interval = readonly [first: number, last: number];

export function jobIndexesProblem(text: string, completions: number): string | undefined {
  let previous = -1;
  for (const part of text === '' ? [] : text.split(',')) {
    const interval = parseInterval(part, completions);
    if (typeof interval === 'string') return interval;
    if (previous >= interval[0]) return `non-increasing order, previous: ${previous}, current: ${interval[0]}`;
    previous = interval[1];
  }
  return undefined;
}

/** The first index in both lists; malformed intervals are skipped. Linear. */
export function commonJobIndex(completed: string, failed: string, completions: number): number | undefined {
  const left = intervals(completed, completions);
  const right = intervals(failed, completions);
  let l = 0;
  let r = 0;
  for (;;) {
    const a = left[l];
    const b = right[r];
    if (a === undefined || b === undefined) return undefined;
    if (a[0] <= b[1] && b[0] <= a[1]) return Math.max(a[0], b[0]);
    if (a[0] <= b[0]) l++;
    else r++;
  }
}

function intervals(text: string, completions: number): Interval[] {
  if (text === '') return [];
  return text.split(',').flatMap((part) => {
    const interval = parseInterval(part, completions);
    return typeof interval === 'string' ? [] : [interval];
  });
}

function parseInterval(part: string, completions: number): Interval | string {
  const limits = part.split('-');
  if (limits.length > 2) {
    return `the fragment ${quoteGo(part)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  const numbers: number[] = [];
  for (const limit of limits) {
    if (!/^[+-]?[0-9]{1,18}$/.test(limit)) return `cannot convert string to integer for index: ${quoteGo(limit)}`;
    if (Number(limit) >= completions) return `too large index: ${quoteGo(limit)}`;
    numbers.push(Number(limit));
  }
  const [first = 0, last = first] = numbers;
  if (numbers.length > 1 && first >= last) return `non-increasing order, previous: ${first}, current: ${last}`;
  return [first, last];
}
