import { Duration, EvaluationError, Timestamp, type Value } from '../cel/index.js';
import { hasFormat, parseFormattedDuration } from '../structural/index.js';
import type { ReadCount } from './read-count.js';

/** Decoding this many characters is as much work as reading a value. */
const CHARACTERS_PER_READ = 64;
const SECOND = 1_000_000_000n;

/** Converts a text by its format, or returns it. Throws `EvaluationError` if it does not have the format. */
export function readFormat(text: string, format: string, reads: ReadCount): Value {
  switch (format) {
    case 'byte':
      reads.add(Math.ceil(text.length / CHARACTERS_PER_READ));
      if (hasFormat(text, format) || text === '') return Buffer.from(text, 'base64');
      throw new EvaluationError(`Invalid byte formatted string ${text}`);
    case 'date':
      if (hasFormat(text, format)) return new Timestamp(BigInt(Date.parse(`${text}T00:00:00Z`) / 1000) * SECOND);
      throw new EvaluationError(`Invalid date formatted string ${text}`);
    case 'date-time':
      return hasFormat(text, format) ? dateTime(text.toUpperCase()) : rejectDateTime(text);
    case 'duration': {
      const nanoseconds = parseFormattedDuration(text);
      if (nanoseconds !== undefined) return new Duration(nanoseconds);
      throw new EvaluationError(`Invalid duration ${text}: unable to parse ${text} as duration`);
    }
    default:
      return text;
  }
}

/** `2026-01-02T03:04:05.123456789+01:00`. */
function dateTime(text: string): Timestamp {
  const [, seconds = '', digits = '', offset = ''] = /^([^.Z+]*?)(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})$/.exec(text) ?? [];
  const milliseconds = Date.parse(`${seconds}${offset}`);
  if (Number.isNaN(milliseconds)) return rejectDateTime(text);
  const fraction = BigInt(digits.slice(0, 9).padEnd(9, '0'));
  return new Timestamp(BigInt(milliseconds / 1000) * SECOND + fraction, offsetOf(offset));
}

/** Seconds east of UTC of `Z` or `+01:00`. */
function offsetOf(zone: string): number {
  const [, sign = '', hours = '', minutes = ''] = /^([+-])(\d{2}):(\d{2})$/.exec(zone) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60;
}

function rejectDateTime(text: string): never {
  throw new EvaluationError(`Invalid date-time formatted string ${text}`);
}
