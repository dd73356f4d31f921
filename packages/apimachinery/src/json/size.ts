import type { JsonValue } from './value.js';

/** To write as many values takes less than a millisecond. */
const MANY = 1000;

/** Whether a value has so many parts, at any depth, that work on it should be divided into steps. */
export function isLarge(value: JsonValue | undefined): boolean {
  return partsLeft(value, MANY) < 0;
}

/** How many more parts a value may have; negative if it has too many. */
function partsLeft(value: JsonValue | undefined, allowed: number): number {
  if (typeof value !== 'object' || value === null) return allowed;
  let left = allowed;
  if (Array.isArray(value)) {
    left -= value.length;
    for (let index = 0; left >= 0 && index < value.length; index++) left = partsLeft(value[index], left);
    return left;
  }
  for (const key in value) {
    left = partsLeft(value[key], left - 1);
    if (left < 0) break;
  }
  return left;
}
