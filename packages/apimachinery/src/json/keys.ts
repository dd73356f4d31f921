import { type JsonObject, setOwn } from './value.js';

/** Listing the keys of a larger object takes milliseconds, in one call that cannot pause. */
const MANY_KEYS = 1000;

/** One key of each large object whose keys were listed. While the object has it, the object is not empty. */
const seenKeys = new WeakMap<object, string>();

/** The keys of an object. Listing those of a large one is a step of its own. */
export function* keysInSteps(object: object): Generator<undefined, string[], undefined> {
  if (seenKeys.has(object)) yield;
  const keys = listKeys(object);
  if (keys.length > MANY_KEYS) yield;
  return keys;
}

/** Whether an object has no keys. It lists those of a large object only once. */
export function hasNoKeys(object: object): boolean {
  const seen = seenKeys.get(object);
  if (seen !== undefined && Object.hasOwn(object, seen)) return false;
  return listKeys(object).length === 0;
}

function listKeys(object: object): string[] {
  const keys = Object.keys(object);
  const [first] = keys;
  if (keys.length > MANY_KEYS && first !== undefined) seenKeys.set(object, first);
  return keys;
}

/** A shallow copy of an object. `pace` ends the steps of a large one, and `known` are its keys if they are known. */
export function* copyMembersInSteps(
  object: Readonly<JsonObject>,
  pace: { endsStep(): boolean },
  known?: readonly string[],
): Generator<undefined, JsonObject, undefined> {
  const keys = known ?? (yield* keysInSteps(object));
  if (keys.length <= MANY_KEYS) return { ...object };
  const copy: JsonObject = {};
  for (const key of keys) {
    const value = object[key];
    if (value !== undefined) setOwn(copy, key, value);
    if (pace.endsStep()) yield;
  }
  return copy;
}
