/**
 * The value model of every decoded document.
 *
 * Integers that a double cannot hold exactly are `bigint`; all other numbers are `number`. Objects are ordinary objects
 * with untrusted keys. Read a map key with {@link getOwn} and write it with {@link setOwn}: then `__proto__`,
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

/** The nearest double of an integer that a document may hold as a `bigint`, whatever the type of its field says. */
export const numberOf = (value: Int64): number => Number(value);

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether all items of a list are texts. */
export function isTexts(value: JsonValue): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
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

/** Deep equality. Absent equals `undefined`, and key order does not matter. */
export function deepEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => deepEqual(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  let more = 0;
  // Unlike Object.keys, this allocates nothing.
  for (const key in a) {
    const value = a[key];
    if (value === undefined) continue;
    if (!deepEqual(value, getOwn(b, key))) return false;
    more++;
  }
  for (const key in b) if (b[key] !== undefined) more--;
  return more === 0;
}
