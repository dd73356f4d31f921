import { compareUtf8 } from '../../json/index.js';
import { comparableNumbers } from '../equality.js';
import { EvaluationError, noSuchOverload } from '../evaluation-error.js';
import { GREATER, GREATER_EQUALS, LESS, LESS_EQUALS } from '../operators.js';
import { type Overload, overload } from '../overload.js';
import { Duration, Timestamp, type Value } from '../values.js';

/** The comparable types by their part of the overload id, in order of declaration. */
const COMPARABLE: readonly (readonly [id: string, left: string, right: string])[] = [
  ['bool', 'bool', 'bool'],
  ['int64', 'int', 'int'],
  ['int64_double', 'int', 'double'],
  ['int64_uint64', 'int', 'uint'],
  ['uint64', 'uint', 'uint'],
  ['uint64_double', 'uint', 'double'],
  ['uint64_int64', 'uint', 'int'],
  ['double', 'double', 'double'],
  ['double_int64', 'double', 'int'],
  ['double_uint64', 'double', 'uint'],
  ['string', 'string', 'string'],
  ['bytes', 'bytes', 'bytes'],
  ['timestamp', 'timestamp', 'timestamp'],
  ['duration', 'duration', 'duration'],
];

/**
 * Upstream: cel-go `common/stdlib/standard.go`. Strings compare by code points, which is the order of their UTF-8
 * bytes.
 */
export const COMPARISON: readonly Overload[] = [
  ...ordering(LESS, 'less', (order) => order < 0),
  ...ordering(LESS_EQUALS, 'less_equals', (order) => order <= 0),
  ...ordering(GREATER, 'greater', (order) => order > 0),
  ...ordering(GREATER_EQUALS, 'greater_equals', (order) => order >= 0),
];

function ordering(operator: string, id: string, holds: (order: number) => boolean): Overload[] {
  return COMPARABLE.map(([types, left, right]) =>
    overload(operator, `${id}_${types}`, `(${left}, ${right}) -> bool`, (first = null, second = null) =>
      holds(compareValues(first, second)),
    ),
  );
}

/** Negative, zero or positive. Throws `EvaluationError` for NaN and for values without an order. */
export function compareValues(left: Value, right: Value): number {
  if (typeof left === 'bigint' && typeof right === 'bigint') return left < right ? -1 : left > right ? 1 : 0;
  const numbers = comparableNumbers(left, right);
  if (numbers !== undefined) return compareNumbers(numbers[0], numbers[1]);
  if (typeof left === 'string' && typeof right === 'string') return compareUtf8(left, right);
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right);
  if (left instanceof Timestamp && right instanceof Timestamp)
    return compareNumbers(left.nanoseconds, right.nanoseconds);
  if (left instanceof Duration && right instanceof Duration) return compareNumbers(left.nanoseconds, right.nanoseconds);
  throw noSuchOverload();
}

function compareNumbers(left: bigint | number, right: bigint | number): number {
  if (Number.isNaN(left) || Number.isNaN(right)) throw new EvaluationError('NaN values cannot be ordered');
  return left < right ? -1 : left > right ? 1 : 0;
}
