import { parseTimestamp } from '@binnacle/apimachinery/time';

/** A revision, or a time in milliseconds since the epoch. */
export type HistoryPoint =
  | { readonly type: 'revision'; readonly revision: number }
  | { readonly type: 'time'; readonly time: number };

/** Reads a resourceVersion or a time as in RFC 3339. Throws TimeParseError. */
export function parseHistoryPoint(text: string): HistoryPoint {
  if (/^[0-9]{1,15}$/.test(text)) return { type: 'revision', revision: Number(text) };
  const { seconds, nanoseconds } = parseTimestamp(text);
  return { type: 'time', time: seconds * 1000 + Math.floor(nanoseconds / 1_000_000) };
}
