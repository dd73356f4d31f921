/**
 * The value model of every decoded document.
 *
 * Integers that a double cannot hold exactly are `bigint`; all other numbers are `number`. Objects are ordinary objects
 * with untrusted keys: read a map key with {@link getOwn} and write it with {@link setOwn}, so that `__proto__`,
 * `constructor` and the like are data. Key order has no meaning: encoders sort keys (struct fields by schema, map keys
 * by their UTF-8 bytes, as Go does).
 */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;

/** An object with untrusted keys. `undefined` means absent and is never encoded. */
export interface JsonObject {
  [key: string]: JsonValue | undefined;
}

/** A 64-bit integer: `number` if a double holds it exactly, else `bigint`. */
export type Int64 = number | bigint;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own property `key`, or undefined. Ignores the prototype. */
export function getOwn(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets `key` as an own data property, even for a name like `__proto__`. */
export function setOwn(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

/** A deep copy that shares no mutable part with its source. */
export function deepCopy<T extends JsonValue | undefined>(value: T): T {
  return copyValue(value) as T;
}

function copyValue(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((item) => copyValue(item) as JsonValue);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    const field = value[key];
    if (field !== undefined) setOwn(copy, key, copyValue(field) as JsonValue);
  }
  return copy;
}

/** About a millisecond of work. */
const COPIES_PER_STEP = 5000;

/** {@link deepCopy} in steps. */
export function* deepCopyInSteps(value: JsonObject): Generator<undefined, JsonObject, undefined> {
  return yield* copyObject(value, { copied: 0 });
}

interface Progress {
  copied: number;
}

function* copyObject(object: JsonObject, progress: Progress): Generator<undefined, JsonObject, undefined> {
  const copy: JsonObject = {};
  for (const key of Object.keys(object)) {
    if (++progress.copied % COPIES_PER_STEP === 0) yield;
    const field = object[key];
    if (field === undefined) continue;
    if (Array.isArray(field)) setOwn(copy, key, yield* copyList(field, progress));
    else setOwn(copy, key, isObject(field) ? yield* copyObject(field, progress) : field);
  }
  return copy;
}

function* copyList(list: readonly JsonValue[], progress: Progress): Generator<undefined, JsonValue[], undefined> {
  const copy: JsonValue[] = [];
  for (const item of list) {
    if (++progress.copied % COPIES_PER_STEP === 0) yield;
    if (Array.isArray(item)) copy.push(yield* copyList(item, progress));
    else copy.push(isObject(item) ? yield* copyObject(item, progress) : item);
  }
  return copy;
}

/** Deep equality. Absent equals `undefined`, and key order does not matter. */
export function deepEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => deepEqual(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  for (const key of Object.keys(a)) if (!deepEqual(a[key], getOwn(b, key))) return false;
  for (const key of Object.keys(b)) if (b[key] !== undefined && getOwn(a, key) === undefined) return false;
  return true;
}
