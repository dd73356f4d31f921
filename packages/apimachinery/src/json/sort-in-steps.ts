import { compareUtf8, sortUtf8 } from './text.js';

/** With a cheap comparison, sorting or merging this many takes about a millisecond. */
const ITEMS_PER_STEP = 5000;

type Compare<T> = (left: T, right: T) => number;
type Sorting<T> = Generator<undefined, readonly T[], undefined>;

/** A copy of the texts in the order of `sortUtf8`. */
export function sortedTextsInSteps(texts: readonly string[]): Sorting<string> {
  return sorted(texts, sortUtf8, compareUtf8, ITEMS_PER_STEP);
}

/** A copy of the items in the order of `compare`, as `toSorted` returns it. Pass smaller steps for a costly comparison. */
export function sortedInSteps<T extends object | string>(
  items: readonly T[],
  compare: Compare<T>,
  itemsPerStep = ITEMS_PER_STEP,
): Sorting<T> {
  return sorted(items, (part) => part.sort(compare), compare, itemsPerStep);
}

/** Sorts parts, then merges them in pairs. */
function* sorted<T>(
  items: readonly T[],
  sort: (part: T[]) => T[],
  compare: Compare<T>,
  itemsPerStep: number,
): Sorting<T> {
  let parts: (readonly T[])[] = [];
  for (let start = 0; start < items.length; start += itemsPerStep) {
    if (start > 0) yield;
    parts.push(sort(items.slice(start, start + itemsPerStep)));
  }
  while (parts.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let index = 0; index < parts.length; index += 2) {
      merged.push(yield* merge(parts[index] ?? [], parts[index + 1] ?? [], compare, itemsPerStep));
    }
    parts = merged;
  }
  return parts[0] ?? [];
}

function* merge<T>(left: readonly T[], right: readonly T[], compare: Compare<T>, itemsPerStep: number): Sorting<T> {
  const merged: T[] = [];
  let [first, second] = [0, 0];
  for (;;) {
    const one = left[first];
    const other = right[second];
    if (one === undefined || other === undefined) break;
    if (compare(one, other) <= 0) {
      merged.push(one);
      first++;
    } else {
      merged.push(other);
      second++;
    }
    if (merged.length % itemsPerStep === 0) yield;
  }
  return merged.concat(left.slice(first), right.slice(second));
}
