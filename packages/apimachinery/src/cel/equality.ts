import type { Steps } from '../work/index.js';
import { CostLimitError } from './evaluation-error.js';
import {
  Duration,
  ListValue,
  MapValue,
  ObjectValue,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  UnsignedInteger,
  type Value,
} from './values.js';

/**
 * Whether two values are equal. Values of different types are unequal, not an error, but numbers compare across types.
 * Throws `CostLimitError` if the values are too large to compare. Upstream: cel-spec `doc/langdef.md`, Equality.
 */
export function equal(left: Value, right: Value): boolean {
  if (typeof left !== 'object' && typeof left === typeof right) {
    visited++;
    return left === right;
  }
  const visits = { left: MOST_VISITS };
  try {
    return same(left, right, visits);
  } finally {
    visited += MOST_VISITS - visits.left;
  }
}

/** {@link equal} in steps, for lists, maps and objects that may be large. */
export function* equalInSteps(left: Value, right: Value): Steps<boolean> {
  if (!hasParts(left) || !hasParts(right)) return equal(left, right);
  const visits = { left: MOST_VISITS, counted: MOST_VISITS };
  try {
    return yield* sameInSteps(left, right, visits);
  } finally {
    count(visits);
  }
}

/**
 * How many values comparisons have visited since the last call. Calls are synchronous, so the count belongs to the last
 * one.
 */
export function takeVisits(): number {
  const taken = visited;
  visited = 0;
  return taken;
}

let visited = 0;

const MANY_KEYS = 10_000;

/** A few milliseconds of comparisons. */
const VISITS_PER_STEP = 20_000;

/** Whether the comparisons since the last call of {@link takeVisits} took a step. */
export function visitsEndStep(): boolean {
  return visited >= VISITS_PER_STEP;
}

/**
 * The most values that one comparison may visit. A list can contain the same list many times, so it can have more values
 * than fit in memory.
 */
const MOST_VISITS = 2_000_000;

interface Visits {
  left: number;
}

/** Visits of a comparison in steps, and how many were left when they were last counted. */
interface CountedVisits extends Visits {
  counted: number;
}

function count(visits: CountedVisits): void {
  visited += visits.counted - visits.left;
  visits.counted = visits.left;
}

type Parts = ListValue | MapValue | ObjectValue;

function hasParts(value: Value): value is Parts {
  return value instanceof ListValue || value instanceof MapValue || value instanceof ObjectValue;
}

function* sameInSteps(left: Value, right: Value, visits: CountedVisits): Steps<boolean> {
  if (visits.counted - visits.left >= VISITS_PER_STEP) {
    count(visits);
    yield;
  }
  if (left instanceof MapValue && right instanceof MapValue && left !== right) {
    visit(visits);
    return left.equals(right) ?? (yield* equalMapsInSteps(left, right, visits));
  }
  if (left instanceof ListValue && right instanceof ListValue && left !== right) {
    visit(visits);
    return left.equals(right) ?? (yield* equalListsInSteps(left, right, visits));
  }
  if (left instanceof ObjectValue && right instanceof ObjectValue && left !== right) {
    visit(visits);
    return yield* equalObjectsInSteps(left, right, visits);
  }
  return same(left, right, visits);
}

function visit(visits: Visits): void {
  if (--visits.left < 0) throw new CostLimitError();
}

function same(left: Value, right: Value, visits: Visits): boolean {
  visit(visits);
  if (left === right) return true;
  const numbers = comparableNumbers(left, right);
  if (numbers !== undefined) return numbers[0] === numbers[1];
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (left instanceof Uint8Array) return right instanceof Uint8Array && Buffer.compare(left, right) === 0;
  if (left instanceof ListValue)
    return right instanceof ListValue && (left.equals(right) ?? equalLists(left, right, visits));
  if (left instanceof MapValue)
    return right instanceof MapValue && (left.equals(right) ?? equalMaps(left, right, visits));
  if (left instanceof ObjectValue) return right instanceof ObjectValue && equalObjects(left, right, visits);
  if (left instanceof Timestamp) return right instanceof Timestamp && left.nanoseconds === right.nanoseconds;
  if (left instanceof Duration) return right instanceof Duration && left.nanoseconds === right.nanoseconds;
  if (left instanceof TypeValue) return right instanceof TypeValue && left.name === right.name;
  if (left instanceof OptionalValue) return right instanceof OptionalValue && equalOptionals(left, right, visits);
  return left instanceof OpaqueValue && right instanceof OpaqueValue && left.equals(right);
}

/**
 * Converts two numbers of any of the three types to one type, for JavaScript's operators; undefined if either is not a
 * number. Next to a double, the other becomes one and may lose precision, like upstream.
 */
export function comparableNumbers(left: Value, right: Value): [bigint, bigint] | [number, number] | undefined {
  const first = left instanceof UnsignedInteger ? left.value : left;
  const second = right instanceof UnsignedInteger ? right.value : right;
  if (typeof first !== 'bigint' && typeof first !== 'number') return undefined;
  if (typeof second !== 'bigint' && typeof second !== 'number') return undefined;
  return typeof first === 'bigint' && typeof second === 'bigint' ? [first, second] : [Number(first), Number(second)];
}

function equalLists(left: ListValue, right: ListValue, visits: Visits): boolean {
  if (left.size !== right.size) return false;
  for (let index = 0; index < left.size; index++) if (!same(left.at(index), right.at(index), visits)) return false;
  return true;
}

function equalMaps(left: MapValue, right: MapValue, visits: Visits): boolean {
  if (left.size !== right.size) return false;
  for (const key of left.unorderedKeys()) {
    const other = right.get(key);
    if (other === undefined || !same(left.get(key) ?? null, other, visits)) return false;
  }
  return true;
}

function equalObjects(left: ObjectValue, right: ObjectValue, visits: Visits): boolean {
  if (left.typeName !== right.typeName) return false;
  const fields = [...left.fields()];
  if (fields.length !== [...right.fields()].length) return false;
  return fields.every((field) => {
    const other = right.get(field);
    return other !== undefined && same(left.get(field) ?? null, other, visits);
  });
}

function equalOptionals(left: OptionalValue, right: OptionalValue, visits: Visits): boolean {
  if (left.value === undefined || right.value === undefined) return left.value === right.value;
  return same(left.value, right.value, visits);
}

function* equalListsInSteps(left: ListValue, right: ListValue, visits: CountedVisits): Steps<boolean> {
  if (left.size !== right.size) return false;
  for (let index = 0; index < left.size; index++) {
    if (!(yield* sameInSteps(left.at(index), right.at(index), visits))) return false;
  }
  return true;
}

/** Listing the keys of a large map for the first time takes a step of its own. */
function* equalMapsInSteps(left: MapValue, right: MapValue, visits: CountedVisits): Steps<boolean> {
  const { size } = left;
  if (size > MANY_KEYS) yield;
  if (size !== right.size) return false;
  if (size > MANY_KEYS) yield;
  for (const key of left.unorderedKeys()) {
    const other = right.get(key);
    if (other === undefined || !(yield* sameInSteps(left.get(key) ?? null, other, visits))) return false;
  }
  return true;
}

function* equalObjectsInSteps(left: ObjectValue, right: ObjectValue, visits: CountedVisits): Steps<boolean> {
  if (left.typeName !== right.typeName) return false;
  const fields = [...left.fields()];
  if (fields.length !== [...right.fields()].length) return false;
  for (const field of fields) {
    const other = right.get(field);
    if (other === undefined || !(yield* sameInSteps(left.get(field) ?? null, other, visits))) return false;
  }
  return true;
}
