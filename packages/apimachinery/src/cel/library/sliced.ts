import type { Steps } from '../../work/index.js';

/** UTF-16 code units of a text. Work on this many takes about a millisecond. */
export const UNITS_PER_STEP = 20_000;

/** Converts a text whose code points are independent of each other, slice by slice. */
export function* sliced(text: string, convert: (slice: string) => string): Steps<string> {
  if (text.length <= UNITS_PER_STEP) return convert(text);
  const slices: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOfPoints(text, start + UNITS_PER_STEP);
    slices.push(convert(text.slice(start, end)));
    start = end;
    yield;
  }
  return slices.join('');
}

/** The end of a part that does not split a surrogate pair. */
export function endOfPoints(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code < 0xdc00 ? end + 1 : Math.min(end, text.length);
}
