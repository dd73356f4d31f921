import { parseDuration } from '@binnacle/apimachinery/time';

/** The milliseconds of a duration like `1m30s`. Throws a `TimeParseError` for anything else. */
export function milliseconds(duration: string): number {
  return Number(parseDuration(duration)) / 1e6;
}
