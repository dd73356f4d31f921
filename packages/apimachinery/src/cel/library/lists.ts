import { CostLimitError, EvaluationError, noSuchOverload } from '../evaluation-error.js';
import { longOverload, type Overload, overload } from '../overload.js';
import { Duration, ListValue, Timestamp, UnsignedInteger, type Value } from '../values.js';
import { any, from, int, list } from './arguments.js';
import { intOf, uintOf } from './arithmetic.js';
import { comparesNested, containsAll, containsAny, distinct, firstEqual, lastEqual } from './comparing.js';
import { compareValues } from './comparison.js';
import { flatten } from './flatten.js';
import { durationOf } from './time-range.js';

/** The comparable types by their names in signatures and in overload ids. */
const COMPARABLE = [
  ['int', 'int'],
  ['uint', 'uint'],
  ['double', 'double'],
  ['bool', 'bool'],
  ['duration', 'google.protobuf.Duration'],
  ['timestamp', 'google.protobuf.Timestamp'],
  ['string', 'string'],
  ['bytes', 'bytes'],
] as const;

const SUMS: readonly (readonly [type: string, zero: Value, add: (left: Value, right: Value) => Value])[] = [
  ['int', 0n, (left, right) => intOf(whole(left) + whole(right))],
  ['uint', new UnsignedInteger(0n), (left, right) => uintOf(unsigned(left) + unsigned(right))],
  ['double', 0, (left, right) => double(left) + double(right)],
  ['duration', new Duration(0n), (left, right) => durationOf(span(left) + span(right))],
];

/** A longer list exceeds every cost limit. */
const LONGEST_RANGE = 10_000_000n;

/** Upstream: apiserver `pkg/cel/library/lists.go`. */
export const KUBERNETES_LISTS: readonly Overload[] = [
  ...COMPARABLE.map(([type]) =>
    overload('isSorted', `list_${type}_is_sorted_bool`, `list(${type}).() -> bool`, from(list)(isSorted)),
  ),
  ...SUMS.map(([type, zero, add]) =>
    overload(
      'sum',
      `list_${type}_sum_${type}`,
      `list(${type}).() -> ${type}`,
      from(list)((values) => reduce(values, zero, add)),
    ),
  ),
  ...COMPARABLE.map(([type]) =>
    overload(
      'max',
      `list_${type}_max_${type}`,
      `list(${type}).() -> ${type}`,
      from(list)((values) => extreme(values, 'max', 1)),
    ),
  ),
  ...COMPARABLE.map(([type]) =>
    overload(
      'min',
      `list_${type}_min_${type}`,
      `list(${type}).() -> ${type}`,
      from(list)((values) => extreme(values, 'min', -1)),
    ),
  ),
  longOverload('indexOf', 'list_a_index_of_int', 'list(A).(A) -> int', {
    isLong: comparesNested,
    steps: from(
      list,
      any,
    )(function* (values, wanted) {
      return BigInt(yield* firstEqual(values, wanted));
    }),
  }),
  longOverload('lastIndexOf', 'list_a_last_index_of_int', 'list(A).(A) -> int', {
    isLong: comparesNested,
    steps: from(
      list,
      any,
    )(function* (values, wanted) {
      return BigInt(yield* lastEqual(values, wanted));
    }),
  }),
];

/** Upstream: cel-go `ext/lists.go`, version 3. */
export const LISTS: readonly Overload[] = [
  overload('slice', 'list_slice', 'list(A).(int, int) -> list(A)', from(list, int, int)(slice)),
  {
    ...longOverload('flatten', 'list_flatten', 'list(list(A)).() -> list(A)', {
      isLong: () => true,
      steps: from(list)((values) => flatten(values, 1n)),
    }),
    takesAnyItems: true,
  },
  longOverload('flatten', 'list_flatten_int', 'list(dyn).(int) -> list(dyn)', {
    isLong: () => true,
    steps: from(list, int)(flatten),
  }),
  ...COMPARABLE.map(([type, id]) => ({
    ...overload(
      'sort',
      `list_${id}_sort`,
      `list(${type}).() -> list(${type})`,
      from(list)((values) => sortBy(values, values)),
    ),
    takesAnyItems: true,
  })),
  ...COMPARABLE.map(([type, id]) => ({
    ...overload(
      '@sortByAssociatedKeys',
      `list_${id}_sortByAssociatedKeys`,
      `list(A).(list(${type})) -> list(A)`,
      from(list, list)(sortBy),
    ),
    takesAnyItems: true,
  })),
  overload('lists.range', 'lists_range', '(int) -> list(int)', from(int)(range)),
  overload(
    'reverse',
    'list_reverse',
    'list(A).() -> list(A)',
    from(list)((values) => new ListValue({ size: values.size, at: (index) => values.at(values.size - 1 - index) })),
  ),
  longOverload('distinct', 'list_distinct', 'list(A).() -> list(A)', {
    isLong: comparesNested,
    steps: from(list)(distinct),
  }),
];

/** Upstream: cel-go `ext/sets.go`. */
export const SETS: readonly Overload[] = [
  longOverload('sets.contains', 'list_sets_contains_list', '(list(A), list(A)) -> bool', {
    isLong: comparesNested,
    steps: from(list, list)(containsAll),
  }),
  longOverload('sets.equivalent', 'list_sets_equivalent_list', '(list(A), list(A)) -> bool', {
    isLong: comparesNested,
    steps: from(
      list,
      list,
    )(function* (left, right) {
      return (yield* containsAll(left, right)) && (yield* containsAll(right, left));
    }),
  }),
  longOverload('sets.intersects', 'list_sets_intersects_list', '(list(A), list(A)) -> bool', {
    isLong: comparesNested,
    steps: from(list, list)((left, right) => containsAny(right, left)),
  }),
];

// Dispatch looks only at the first item of a list, so the others may have any type.

function whole(value: Value): bigint {
  if (typeof value !== 'bigint') throw noSuchOverload();
  return value;
}

function unsigned(value: Value): bigint {
  if (!(value instanceof UnsignedInteger)) throw noSuchOverload();
  return value.value;
}

function double(value: Value): number {
  if (typeof value !== 'number') throw noSuchOverload();
  return value;
}

function span(value: Value): bigint {
  if (!(value instanceof Duration)) throw noSuchOverload();
  return value.nanoseconds;
}

function isSorted(values: ListValue): boolean {
  for (let index = 1; index < values.size; index++) {
    if (orderOf(values.at(index - 1), values.at(index)) > 0) return false;
  }
  return true;
}

function extreme(values: ListValue, name: string, direction: number): Value {
  if (values.size === 0) throw new EvaluationError(`${name} called on empty list`);
  return reduce(values, undefined, (best, value) => (orderOf(value, best) * direction > 0 ? value : best));
}

/** Like `compareValues`; zero for values of different types, which upstream passes over. Throws for values that have no order at all. */
function orderOf(left: Value, right: Value): number {
  try {
    return compareValues(left, right);
  } catch (error) {
    if (!(error instanceof EvaluationError) || !isOrdered(left) || !isOrdered(right)) throw error;
    return 0;
  }
}

function isOrdered(value: Value): boolean {
  if (typeof value !== 'object') return true;
  return [Uint8Array, UnsignedInteger, Duration, Timestamp].some((type) => value instanceof type);
}

/** Starts with the first item if `initial` is undefined. */
function reduce(values: ListValue, initial: Value | undefined, combine: (left: Value, right: Value) => Value): Value {
  let result = initial;
  for (let index = 0; index < values.size; index++) {
    const value = values.at(index);
    result = result === undefined ? value : combine(result, value);
  }
  return result ?? null;
}

function slice(values: ListValue, start: bigint, end: bigint): ListValue {
  const call = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) throw new EvaluationError(`${call}, negative indexes not supported`);
  if (start > end) throw new EvaluationError(`${call}, start index must be less than or equal to end index`);
  if (end > values.size) throw new EvaluationError(`${call}, list is length ${values.size}`);
  const first = Number(start);
  return new ListValue({ size: Number(end) - first, at: (index) => values.at(first + index) });
}

/** Upstream: cel-go `ext/lists.go` sortListByAssociatedKeys. */
function sortBy(values: ListValue, keys: ListValue): ListValue {
  const items = Array.from({ length: values.size }, (_, index) => ({ value: values.at(index), key: keys.at(index) }));
  const [first] = items;
  if (first !== undefined && !isOrdered(first.key)) throw new EvaluationError('list elements must be comparable');
  const sorted = items.sort((left, right) => {
    if (!sameKind(left.key, right.key)) throw new EvaluationError('list elements must have the same type');
    return compareValues(left.key, right.key);
  });
  return ListValue.of(sorted.map(({ value }) => value));
}

function sameKind(left: Value, right: Value): boolean {
  if (typeof left !== 'object' || typeof right !== 'object') return typeof left === typeof right;
  return left?.constructor === right?.constructor;
}

function range(count: bigint): ListValue {
  if (count > LONGEST_RANGE) throw new CostLimitError();
  return new ListValue({ size: Math.max(0, Number(count)), at: (index) => BigInt(index) });
}
