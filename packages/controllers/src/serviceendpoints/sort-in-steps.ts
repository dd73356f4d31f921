import type { Steps } from '@binnacle/apimachinery/work';

type Compare<T> = (one: T, other: T) => number;

/** The greatest number of items that are sorted or merged in a step. */
const RUN = 2000;

/** The items in order. Equal ones keep theirs. */
export function* sortInSteps<T>(items: readonly T[], compare: Compare<T>): Steps<readonly T[]> {
  let runs: T[][] = [];
  for (let start = 0; start < items.length; start += RUN) {
    if (start > 0) yield;
    runs.push(items.slice(start, start + RUN).sort(compare));
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(yield* merge(runs[index] ?? [], runs[index + 1] ?? [], compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<T>(one: readonly T[], other: readonly T[], compare: Compare<T>): Steps<T[]> {
  const merged: T[] = [];
  let taken = 0;
  for (const item of other) {
    for (let next = one[taken]; next !== undefined && compare(next, item) <= 0; next = one[taken]) {
      merged.push(next);
      taken++;
      if (merged.length % RUN === 0) yield;
    }
    merged.push(item);
    if (merged.length % RUN === 0) yield;
  }
  return merged.concat(one.slice(taken));
}
