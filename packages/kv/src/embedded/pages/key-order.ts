/**
 * Whether the keys of a leaf are where a search expects them. `misleading`: only corrupt keys are not, so intact ones
 * can be found by looking past these, but LMDB, which looks by halves, may pass them by. `broken`: intact keys are not.
 */
export type KeyOrder = 'ordered' | 'misleading' | 'broken';

export type Compare = (a: Buffer, b: Buffer) => number;

/** The order of keys without a numeric type. */
export const compareBytes: Compare = (a, b) => Buffer.compare(a, b);

/** Keys in strict order, from `lower` on and before `upper`; undefined = no limit. */
export interface KeyRange {
  readonly lower: Buffer | undefined;
  readonly upper: Buffer | undefined;
}

/** Judges the keys of a leaf. `isSound` tells whether an entry is intact; it is asked only where keys are out of order. */
export function keyOrder<Entry extends { readonly key: Buffer }>(
  entries: readonly Entry[],
  range: KeyRange,
  compare: Compare,
  isSound: (entry: Entry) => boolean,
): KeyOrder {
  if (isOrdered(entries, range, compare)) return 'ordered';
  return isOrdered(entries.filter(isSound), range, compare) ? 'misleading' : 'broken';
}

function isOrdered(
  entries: readonly { readonly key: Buffer }[],
  { lower, upper }: KeyRange,
  compare: Compare,
): boolean {
  let last: Buffer | undefined;
  for (const { key } of entries) {
    if (last === undefined ? lower !== undefined && compare(key, lower) < 0 : compare(key, last) <= 0) return false;
    last = key;
  }
  return last === undefined || upper === undefined || compare(last, upper) < 0;
}
