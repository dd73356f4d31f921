import { Pace, type Steps } from '../../work/index.js';

/** Up to this many comparisons the engine's own search is quicker, which compares every character with every other. */
const MOST_COMPARISONS = 2_000_000;
/** About a millisecond. */
const UNITS_PER_STEP = 200_000;

/** The index of the first occurrence at or after `from`; -1 if there is none. Linear in both texts. */
export function* indexOfText(text: string, part: string, from = 0): Steps<number> {
  if (isShort(text, part)) return text.indexOf(part, from);
  for (const end of yield* ends(text, part, { from, isLast: false, most: 1 })) return end - part.length;
  return -1;
}

/** The index of the last occurrence at or before `from`; -1 if there is none. Linear in both texts. */
export function* lastIndexOfText(text: string, part: string, from = text.length): Steps<number> {
  if (isShort(text, part)) return text.lastIndexOf(part, from);
  const start = Math.max(0, text.length - part.length - from);
  for (const end of yield* ends(text, part, { from: start, isLast: true, most: 1 })) return text.length - end;
  return -1;
}

/** The pieces of a text between the first `most` occurrences of a separator, which is not empty. */
export function* splitText(text: string, separator: string, most = Number.POSITIVE_INFINITY): Steps<string[]> {
  const isAll = most === Number.POSITIVE_INFINITY;
  if (isAll && isShort(text, separator)) return text.split(separator);
  const pieces: string[] = [];
  let start = 0;
  for (const end of yield* ends(text, separator, { from: 0, isLast: false, most })) {
    pieces.push(text.slice(start, end - separator.length));
    start = end;
  }
  pieces.push(text.slice(start));
  return pieces;
}

function isShort(text: string, part: string): boolean {
  return text.length * part.length <= MOST_COMPARISONS;
}

interface Search {
  readonly from: number;
  /** Reads both texts from their ends, and counts from there. */
  readonly isLast: boolean;
  readonly most: number;
}

/** The ends of the first occurrences that do not overlap, by the algorithm of Knuth, Morris and Pratt. */
function* ends(text: string, part: string, { from, isLast, most }: Search): Steps<number[]> {
  const found: number[] = [];
  if (part.length > text.length - from || most <= 0) return found;
  const unitOf = (all: string, index: number): number => all.charCodeAt(isLast ? all.length - 1 - index : index);
  const pace = new Pace(UNITS_PER_STEP);
  /** For each prefix of the part, the length of its longest proper suffix that is also a prefix. */
  const borders = new Int32Array(part.length);
  for (let index = 1, matched = 0; index < part.length; index++) {
    const unit = unitOf(part, index);
    while (matched > 0 && unit !== unitOf(part, matched)) matched = borders[matched - 1] ?? 0;
    if (unit === unitOf(part, matched)) matched++;
    borders[index] = matched;
    if (pace.endsStep()) yield;
  }
  for (let index = from, matched = 0; index < text.length; index++) {
    const unit = unitOf(text, index);
    while (matched > 0 && unit !== unitOf(part, matched)) matched = borders[matched - 1] ?? 0;
    if (unit === unitOf(part, matched)) matched++;
    if (matched === part.length) {
      if (found.push(index + 1) >= most) break;
      matched = 0;
    }
    if (pace.endsStep()) yield;
  }
  return found;
}
