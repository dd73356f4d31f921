import type { JsonValue } from '../json/index.js';
import { parseTimestamp, TimeParseError } from '../time/index.js';
import { CborError } from './cbor-error.js';

const NANOSECONDS = 1e9;
const TO_THE_SECOND = '2006-01-02T15:04:05'.length;
const ISO_LENGTH = '2006-01-02T15:04:05.000Z'.length;

/** The text of a tagged date and time; throws if it is not one. */
export function dateTime(value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value;
  try {
    parseTimestamp(value);
    return value;
  } catch (error) {
    if (error instanceof TimeParseError)
      throw new CborError(`cbor: cannot set ${value} for time.Time: ${error.message}`);
    throw error;
  }
}

/** Formats seconds since the epoch, to the nanosecond if there is a fraction. */
export function epochTime(value: JsonValue): string {
  const given = Number(value);
  const towardsZero = Math.trunc(given);
  // Go truncates below a nanosecond in the same direction.
  const fraction = Math.trunc((given - towardsZero) * NANOSECONDS);
  const date = new Date((fraction < 0 ? towardsZero - 1 : towardsZero) * 1000);
  const text = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  if (text.length !== ISO_LENGTH) {
    throw new CborError(
      'cbor: decoded time cannot be represented in RFC3339 format with sub-second precision: ' +
        'Time.MarshalText: year outside of range [0,9999]',
    );
  }
  const second = text.slice(0, TO_THE_SECOND);
  if (fraction === 0) return `${second}Z`;
  const nanoseconds = fraction < 0 ? fraction + NANOSECONDS : fraction;
  return `${second}.${String(nanoseconds).padStart(9, '0').replace(/0+$/, '')}Z`;
}
