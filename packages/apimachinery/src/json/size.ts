import type { JsonObject, JsonValue } from './value.js';

/** Writing this many values takes less than a millisecond. */
const MANY = 1000;

/**
 * Values that were found to be large. They are remembered because encoders ask about each value on the way to it, and a
 * look at the keys of a large object costs as much as all its keys. One that has shrunk since is still encoded in
 * steps.
 */
const large = new WeakSet<object>();

/** Whether a value has so many parts, at any depth, that work on it should be divided into steps. */
export function isLarge(value: JsonValue | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return large.has(value) || partsLeft(value, MANY) < 0;
}

/** How many more parts a value may have; negative if it has too many. Remembers values with more than half of {@link MANY}. */
function partsLeft(value: JsonValue | undefined, allowed: number): number {
  if (typeof value !== 'object' || value === null) return allowed;
  const left = Array.isArray(value) ? itemsLeft(value, allowed) : membersLeft(value, allowed);
  if (left < 0 && allowed > MANY / 2) large.add(value);
  return left;
}

function itemsLeft(items: readonly JsonValue[], allowed: number): number {
  let left = allowed - items.length;
  for (let index = 0; left >= 0 && index < items.length; index++) left = partsLeft(items[index], left);
  return left;
}

function membersLeft(object: JsonObject, allowed: number): number {
  let left = allowed;
  for (const key in object) {
    left = partsLeft(object[key], left - 1);
    if (left < 0) break;
  }
  return left;
}
