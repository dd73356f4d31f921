import { keysInSteps } from './keys.js';
import { isLarge } from './size.js';
import { deepEqual, getOwn, isObject, type JsonValue } from './value.js';

/** About a millisecond of work. */
const VALUES_PER_STEP = 5000;

type Equality = Generator<undefined, boolean, undefined>;

/** {@link deepEqual}, in steps if both values are large. */
export function* deepEqualInSteps(a: JsonValue | undefined, b: JsonValue | undefined): Equality {
  if (a === b || !isLarge(a) || !isLarge(b)) return deepEqual(a, b);
  return yield* areEqual(a, b, { compared: 0 });
}

interface Progress {
  compared: number;
}

function* areEqual(a: JsonValue | undefined, b: JsonValue | undefined, progress: Progress): Equality {
  if (++progress.compared % VALUES_PER_STEP === 0) yield;
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (const [index, item] of a.entries()) if (!(yield* areEqual(item, b[index], progress))) return false;
    return true;
  }
  if (!isObject(a) || !isObject(b)) return false;
  for (const key of yield* keysInSteps(a)) if (!(yield* areEqual(a[key], getOwn(b, key), progress))) return false;
  for (const key of yield* keysInSteps(b)) {
    if (++progress.compared % VALUES_PER_STEP === 0) yield;
    if (b[key] !== undefined && getOwn(a, key) === undefined) return false;
  }
  return true;
}
