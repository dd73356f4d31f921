import { formatFloat } from '../../json/index.js';
import { EvaluationError } from '../evaluation-error.js';
import {
  Duration,
  ListValue,
  MapValue,
  Timestamp,
  TypeValue,
  typeNameOf,
  UnsignedInteger,
  type Value,
} from '../values.js';
import { formatTimestamp, formatDurationSeconds } from './timestamps.js';

const CLAUSE = /%(?:(%)|(?:\.(\d{1,3}))?([a-zA-Z]))?/g;
const DEFAULT_PRECISION = 6;
const MOST_DIGITS = 100;

/**
 * `'%s has %d'.format([name, count])`. Calls `formatting` with the index of each value. Upstream: cel-go
 * `ext/formatting.go`.
 */
export function formatText(template: string, values: ListValue, formatting?: (index: number) => void): string {
  let used = 0;
  return template.replaceAll(
    CLAUSE,
    (_whole, percent: string | undefined, digits: string | undefined, verb: string | undefined) => {
      if (percent !== undefined) return '%';
      if (verb === undefined) throw new EvaluationError('could not parse formatting clause: unexpected end of string');
      const value = used < values.size ? values.at(used) : undefined;
      if (value === undefined) throw new EvaluationError(`index ${used} out of range`);
      formatting?.(used);
      used++;
      return formatClause(
        verb,
        digits === undefined ? DEFAULT_PRECISION : Math.min(Number(digits), MOST_DIGITS),
        value,
      );
    },
  );
}

function formatClause(verb: string, precision: number, value: Value): string {
  switch (verb) {
    case 's':
      return showText(value);
    case 'd':
      return showDecimal(value);
    case 'f':
      return showDouble(value, 'fixed-point', (number) => number.toFixed(precision));
    case 'e':
      return showDouble(value, 'scientific', (number) =>
        number.toExponential(precision).replace(/e([+-])(\d)$/, 'e$10$2'),
      );
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      return showInteger(value, 2, 'binary', 'integers and bools');
    case 'o':
      return showInteger(value, 8, 'octal', 'integers');
    case 'x':
      return showHex(value);
    case 'X':
      return showHex(value).toUpperCase();
    default:
      throw new EvaluationError(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
  }
}

function unsupported(clause: string, verbs: string, value: Value): EvaluationError {
  return new EvaluationError(
    `error during formatting: ${clause} clause can only be used on ${verbs}, was given ${typeNameOf(value)}`,
  );
}

function showInteger(value: Value, radix: number, clause: string, verbs: string): string {
  if (typeof value === 'bigint') return value.toString(radix);
  if (value instanceof UnsignedInteger) return value.value.toString(radix);
  throw unsupported(clause, verbs, value);
}

function showHex(value: Value): string {
  if (typeof value === 'string' || value instanceof Uint8Array) return Buffer.from(value as string).toString('hex');
  return showInteger(value, 16, 'hex', 'integers, byte buffers, and strings');
}

function showDouble(value: Value, clause: string, show: (value: number) => string): string {
  const special = value === 'NaN' || value === 'Infinity' || value === '-Infinity' ? Number(value) : value;
  if (typeof special !== 'number') throw unsupported(clause, 'doubles', value);
  if (Number.isNaN(special)) return 'NaN';
  if (!Number.isFinite(special)) return special > 0 ? '∞' : '-∞';
  return show(special);
}

function showDecimal(value: Value): string {
  return showInteger(value, 10, 'decimal', 'integers');
}

function showText(value: Value): string {
  if (value instanceof ListValue) return showList(value);
  if (value instanceof MapValue) return showMap(value);
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatFloat(value);
  if (typeof value === 'boolean' || value === null) return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDurationSeconds(value);
  if (value instanceof TypeValue) return value.name;
  if (typeof value === 'bigint' || value instanceof UnsignedInteger) return showDecimal(value);
  throw unsupported(
    'string',
    'strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
    value,
  );
}

/** Formats a value inside a list or a map, where strings are quoted. */
function showInside(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Uint8Array) return `b${JSON.stringify(Buffer.from(value).toString())}`;
  if (value instanceof Timestamp) return `timestamp("${showText(value)}")`;
  if (value instanceof Duration) return `duration("${showText(value)}")`;
  if (typeof value === 'number')
    return Number.isFinite(value) ? value.toFixed(DEFAULT_PRECISION) : `"${formatFloat(value)}"`;
  return showText(value);
}

function showList(values: ListValue): string {
  return `[${Array.from({ length: values.size }, (_, index) => showInside(values.at(index))).join(', ')}]`;
}

function showMap(values: MapValue): string {
  const entries = [...values.keys()].map((key) => [showInside(key), showInside(values.get(key) ?? null)] as const);
  const sorted = entries.toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  return `{${sorted.map(([key, value]) => `${key}:${value}`).join(', ')}}`;
}
