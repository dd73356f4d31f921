import { formatFloat } from '../../json/index.js';
import { parseDuration, parseTimestamp, TimeParseError } from '../../time/index.js';
import { EvaluationError } from '../evaluation-error.js';
import { type Overload, overload } from '../overload.js';
import { TypeValue, typeNameOf, UnsignedInteger, type Value } from '../values.js';
import { any, bool, bytes, double, duration, from, int, string, timestamp, uint } from './arguments.js';
import { intOf, uintOf } from './arithmetic.js';
import { parseFloat64 } from './parse-float.js';
import { durationOf, timestampOf } from './time-range.js';
import { formatTimestamp, formatDurationSeconds } from './timestamps.js';

const NANOSECONDS = 1_000_000_000n;
const INTEGER = /^[+-]?\d+$/;
const DIGITS = /^\d+$/;
/** Longer integers overflow in any case and are slow to convert. */
const LONGEST_INTEGER = 64;
/** Longer times and durations are refused, because they are slow to read. */
const LONGEST_TIME = 10_000;
/** The strings that Go reads as booleans. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map(
  (['1', 't', 'T', 'true', 'TRUE', 'True'] as const)
    .map((text): [string, boolean] => [text, true])
    .concat((['0', 'f', 'F', 'false', 'FALSE', 'False'] as const).map((text): [string, boolean] => [text, false])),
);

const identity = (value: Value = null): Value => value;

/** Upstream: cel-go `common/stdlib/standard.go`, and the file of each type in `common/types`. */
export const CONVERSIONS: readonly Overload[] = [
  overload(
    'type',
    'type',
    '(A) -> type(A)',
    from(any)((value) => new TypeValue(typeNameOf(value))),
  ),
  overload('dyn', 'to_dyn', '(A) -> dyn', identity),
  overload('bool', 'bool_to_bool', '(bool) -> bool', identity),
  overload(
    'bool',
    'string_to_bool',
    '(string) -> bool',
    from(string)((text) => BOOLEANS.get(text) ?? refuse('string', 'bool')),
  ),
  overload('bytes', 'bytes_to_bytes', '(bytes) -> bytes', identity),
  overload(
    'bytes',
    'string_to_bytes',
    '(string) -> bytes',
    from(string)((text) => Buffer.from(text)),
  ),
  overload('double', 'double_to_double', '(double) -> double', identity),
  overload('double', 'int64_to_double', '(int) -> double', from(int)(Number)),
  overload('double', 'string_to_double', '(string) -> double', from(string)(readDouble)),
  overload('double', 'uint64_to_double', '(uint) -> double', from(uint)(Number)),
  overload('duration', 'duration_to_duration', '(duration) -> duration', identity),
  overload('duration', 'string_to_duration', '(string) -> duration', from(string)(readDuration)),
  overload('int', 'int64_to_int64', '(int) -> int', identity),
  overload('int', 'double_to_int64', '(double) -> int', from(double)(wholeInt)),
  overload(
    'int',
    'duration_to_int64',
    '(duration) -> int',
    from(duration)((value) => value.nanoseconds),
  ),
  overload(
    'int',
    'string_to_int64',
    '(string) -> int',
    from(string)((text) => readInteger(text, INTEGER, 'int', intOf)),
  ),
  overload(
    'int',
    'timestamp_to_int64',
    '(timestamp) -> int',
    from(timestamp)((value) => floorSeconds(value.nanoseconds)),
  ),
  overload('int', 'uint64_to_int64', '(uint) -> int', from(uint)(intOf)),
  overload('string', 'string_to_string', '(string) -> string', identity),
  overload('string', 'bool_to_string', '(bool) -> string', from(bool)(String)),
  overload('string', 'bytes_to_string', '(bytes) -> string', from(bytes)(decodeText)),
  overload('string', 'double_to_string', '(double) -> string', from(double)(formatFloat)),
  overload('string', 'duration_to_string', '(duration) -> string', from(duration)(formatDurationSeconds)),
  overload('string', 'int64_to_string', '(int) -> string', from(int)(String)),
  overload('string', 'timestamp_to_string', '(timestamp) -> string', from(timestamp)(formatTimestamp)),
  overload('string', 'uint64_to_string', '(uint) -> string', from(uint)(String)),
  overload('timestamp', 'timestamp_to_timestamp', '(timestamp) -> timestamp', identity),
  overload(
    'timestamp',
    'int64_to_timestamp',
    '(int) -> timestamp',
    from(int)((seconds) => timestampOf(seconds * NANOSECONDS)),
  ),
  overload('timestamp', 'string_to_timestamp', '(string) -> timestamp', from(string)(readTimestamp)),
  overload('uint', 'uint64_to_uint64', '(uint) -> uint', identity),
  overload('uint', 'double_to_uint64', '(double) -> uint', from(double)(wholeUint)),
  overload('uint', 'int64_to_uint64', '(int) -> uint', from(int)(uintOf)),
  overload(
    'uint',
    'string_to_uint64',
    '(string) -> uint',
    from(string)((text) => readInteger(text, DIGITS, 'uint', uintOf)),
  ),
];

function refuse(source: string, target: string): never {
  throw new EvaluationError(`type conversion error from '${source}' to '${target}'`);
}

function readInteger(text: string, form: RegExp, target: string, ranged: (value: bigint) => Value): Value {
  if (text.length > LONGEST_INTEGER || !form.test(text)) return refuse('string', target);
  try {
    return ranged(BigInt(text.replace(/^\+/, '')));
  } catch {
    return refuse('string', target);
  }
}

function readDouble(text: string): number {
  return parseFloat64(text) ?? refuse('string', 'double');
}

function readDuration(text: string): Value {
  if (text.length > LONGEST_TIME) return refuse('string', 'google.protobuf.Duration');
  try {
    return durationOf(parseDuration(text));
  } catch (error) {
    if (error instanceof TimeParseError) return refuse('string', 'google.protobuf.Duration');
    throw error;
  }
}

function readTimestamp(text: string): Value {
  if (text.length > LONGEST_TIME) return refuse('string', 'google.protobuf.Timestamp');
  try {
    const { seconds, nanoseconds, offset } = parseTimestamp(text);
    return timestampOf(BigInt(seconds) * NANOSECONDS + BigInt(nanoseconds), offset);
  } catch (error) {
    if (error instanceof TimeParseError) return refuse('string', 'google.protobuf.Timestamp');
    throw error;
  }
}

/** The range excludes its own bounds, because doubles cannot tell them from values outside. */
function wholeInt(value: number): bigint {
  if (!Number.isFinite(value) || value >= 2 ** 63 || value <= -(2 ** 63)) throw new EvaluationError('integer overflow');
  return BigInt(Math.trunc(value));
}

function wholeUint(value: number): UnsignedInteger {
  if (!Number.isFinite(value) || value < 0 || value >= 2 ** 64) throw new EvaluationError('unsigned integer overflow');
  return new UnsignedInteger(BigInt(Math.trunc(value)));
}

function floorSeconds(nanoseconds: bigint): bigint {
  const seconds = nanoseconds / NANOSECONDS;
  return nanoseconds % NANOSECONDS < 0n ? seconds - 1n : seconds;
}

function decodeText(value: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    throw new EvaluationError('invalid UTF-8 in bytes, cannot convert to string');
  }
}
