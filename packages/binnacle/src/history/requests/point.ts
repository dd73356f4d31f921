import { parseDuration, parseTime, TimeParseError } from '@binnacle/apimachinery/time';
import { validateDns1035Label } from '@binnacle/apimachinery/validation';

/** A point in the history. A time is in RFC 3339, and a snapshot is its name. */
export type Point =
  | { readonly type: 'revision'; readonly text: string }
  | { readonly type: 'time'; readonly text: string }
  | { readonly type: 'snapshot'; readonly text: string }
  | { readonly type: 'ago'; readonly milliseconds: number };

export const pointDescription =
  'a resourceVersion, a time such as 2026-11-28T10:05:00Z, a duration before now such as 10m, or the name of a snapshot';

/** Undefined if the text is not a point. */
export function parsePoint(text: string): Point | undefined {
  if (/^[0-9]{1,15}$/.test(text)) return { type: 'revision', text };
  if (isSnapshotName(text)) return { type: 'snapshot', text };
  try {
    if (text.includes('T')) {
      parseTime(text);
      return { type: 'time', text };
    }
    const milliseconds = Number(parseDuration(text) / 1_000_000n);
    return milliseconds < 0 ? undefined : { type: 'ago', milliseconds };
  } catch (error) {
    if (error instanceof TimeParseError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A DNS label that begins with a letter, and so is not a point of another kind. */
export function isSnapshotName(text: string): boolean {
  return validateDns1035Label(text).length === 0;
}

/** The form in which the server takes a point. `now`: milliseconds since the epoch. */
export function pointText(point: Point, now: number): string {
  return point.type === 'ago' ? new Date(now - point.milliseconds).toISOString() : point.text;
}
