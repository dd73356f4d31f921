import { EvaluationError } from '../evaluation-error.js';
import { ADD, DIVIDE, MODULO, MULTIPLY, NEGATE, SUBTRACT } from '../operators.js';
import { type Overload, overload } from '../overload.js';
import { type Duration, type Timestamp, UnsignedInteger, type Value } from '../values.js';
import { bytes, double, duration, from, int, list, string, timestamp, uint } from './arguments.js';
import { durationOf, timestampOf } from './time-range.js';

const MIN_INT = -(2n ** 63n);
const MAX_INT = 2n ** 63n - 1n;
const MAX_UINT = 2n ** 64n - 1n;

/** An `int`, or an overflow error. */
export function intOf(value: bigint): bigint {
  if (value > MAX_INT || value < MIN_INT) throw new EvaluationError('integer overflow');
  return value;
}

export function uintOf(value: bigint): UnsignedInteger {
  if (value > MAX_UINT || value < 0n) throw new EvaluationError('unsigned integer overflow');
  return new UnsignedInteger(value);
}

function divisor(value: bigint, operation: 'division' | 'modulus'): bigint {
  if (value === 0n) throw new EvaluationError(`${operation} by zero`);
  return value;
}

const ints = from(int, int);
const uints = from(uint, uint);
const doubles = from(double, double);
const durations = from(duration, duration);

function add(moment: Timestamp, span: Duration): Value {
  return timestampOf(moment.nanoseconds + span.nanoseconds, moment.offset);
}

/** Upstream: cel-go `common/stdlib/standard.go`, `common/types/overflow.go`. */
export const ARITHMETIC: readonly Overload[] = [
  overload(
    ADD,
    'add_bytes',
    '(bytes, bytes) -> bytes',
    from(bytes, bytes)((left, right) => Buffer.concat([left, right])),
  ),
  overload(
    ADD,
    'add_double',
    '(double, double) -> double',
    doubles((left, right) => left + right),
  ),
  overload(
    ADD,
    'add_duration_duration',
    '(duration, duration) -> duration',
    durations((left, right) => durationOf(left.nanoseconds + right.nanoseconds)),
  ),
  overload(
    ADD,
    'add_duration_timestamp',
    '(duration, timestamp) -> timestamp',
    from(duration, timestamp)((span, moment) => add(moment, span)),
  ),
  overload(ADD, 'add_timestamp_duration', '(timestamp, duration) -> timestamp', from(timestamp, duration)(add)),
  overload(
    ADD,
    'add_int64',
    '(int, int) -> int',
    ints((left, right) => intOf(left + right)),
  ),
  overload(
    ADD,
    'add_list',
    '(list(A), list(A)) -> list(A)',
    from(list, list)((left, right) => left.concat(right)),
  ),
  overload(
    ADD,
    'add_string',
    '(string, string) -> string',
    from(string, string)((left, right) => left + right),
  ),
  overload(
    ADD,
    'add_uint64',
    '(uint, uint) -> uint',
    uints((left, right) => uintOf(left + right)),
  ),
  overload(
    DIVIDE,
    'divide_double',
    '(double, double) -> double',
    doubles((left, right) => left / right),
  ),
  overload(
    DIVIDE,
    'divide_int64',
    '(int, int) -> int',
    ints((left, right) => intOf(left / divisor(right, 'division'))),
  ),
  overload(
    DIVIDE,
    'divide_uint64',
    '(uint, uint) -> uint',
    uints((left, right) => uintOf(left / divisor(right, 'division'))),
  ),
  overload(MODULO, 'modulo_int64', '(int, int) -> int', ints(remainder)),
  overload(
    MODULO,
    'modulo_uint64',
    '(uint, uint) -> uint',
    uints((left, right) => uintOf(left % divisor(right, 'modulus'))),
  ),
  overload(
    MULTIPLY,
    'multiply_double',
    '(double, double) -> double',
    doubles((left, right) => left * right),
  ),
  overload(
    MULTIPLY,
    'multiply_int64',
    '(int, int) -> int',
    ints((left, right) => intOf(left * right)),
  ),
  overload(
    MULTIPLY,
    'multiply_uint64',
    '(uint, uint) -> uint',
    uints((left, right) => uintOf(left * right)),
  ),
  overload(
    NEGATE,
    'negate_double',
    '(double) -> double',
    from(double)((value) => -value),
  ),
  overload(
    NEGATE,
    'negate_int64',
    '(int) -> int',
    from(int)((value) => intOf(-value)),
  ),
  overload(
    SUBTRACT,
    'subtract_double',
    '(double, double) -> double',
    doubles((left, right) => left - right),
  ),
  overload(
    SUBTRACT,
    'subtract_duration_duration',
    '(duration, duration) -> duration',
    durations((left, right) => durationOf(left.nanoseconds - right.nanoseconds)),
  ),
  overload(
    SUBTRACT,
    'subtract_int64',
    '(int, int) -> int',
    ints((left, right) => intOf(left - right)),
  ),
  overload(
    SUBTRACT,
    'subtract_timestamp_duration',
    '(timestamp, duration) -> timestamp',
    from(timestamp, duration)((moment, span) => timestampOf(moment.nanoseconds - span.nanoseconds, moment.offset)),
  ),
  overload(
    SUBTRACT,
    'subtract_timestamp_timestamp',
    '(timestamp, timestamp) -> duration',
    from(timestamp, timestamp)((left, right) => durationOf(left.nanoseconds - right.nanoseconds)),
  ),
  overload(
    SUBTRACT,
    'subtract_uint64',
    '(uint, uint) -> uint',
    uints((left, right) => uintOf(left - right)),
  ),
];

function remainder(left: bigint, right: bigint): bigint {
  // The least int has no positive counterpart, so the division overflows.
  if (left === MIN_INT && right === -1n) throw new EvaluationError('integer overflow');
  return left % divisor(right, 'modulus');
}
