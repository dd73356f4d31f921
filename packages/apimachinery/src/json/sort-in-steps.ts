import { compareUtf8, sortUtf8 } from './text.js';

/** About a millisecond of sorting or merging. */
const TEXTS_PER_STEP = 5000;

type Compare = (left: string, right: string) => number;

/** A copy of the texts in the order of `sortUtf8`, or of `compare`. Sorts parts, then merges them in pairs. */
export function* sortedTextsInSteps(
  texts: readonly string[],
  compare?: Compare,
): Generator<undefined, readonly string[], undefined> {
  let parts: (readonly string[])[] = [];
  for (let start = 0; start < texts.length; start += TEXTS_PER_STEP) {
    if (start > 0) yield;
    const part = texts.slice(start, start + TEXTS_PER_STEP);
    parts.push(compare === undefined ? sortUtf8(part) : part.sort(compare));
  }
  while (parts.length > 1) {
    const merged: (readonly string[])[] = [];
    for (let index = 0; index < parts.length; index += 2) {
      merged.push(yield* merge(parts[index] ?? [], parts[index + 1] ?? [], compare ?? compareUtf8));
    }
    parts = merged;
  }
  return parts[0] ?? [];
}

function* merge(
  left: readonly string[],
  right: readonly string[],
  compare: Compare,
): Generator<undefined, readonly string[], undefined> {
  const merged: string[] = [];
  let [first, second] = [0, 0];
  while (merged.length < left.length + right.length) {
    const one = left[first];
    const other = right[second];
    const isLeft = other === undefined || (one !== undefined && compare(one, other) <= 0);
    merged.push((isLeft ? one : other) ?? '');
    if (isLeft) first++;
    else second++;
    if (merged.length % TEXTS_PER_STEP === 0) yield;
  }
  return merged;
}
