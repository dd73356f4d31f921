import { keysInSteps } from './keys.js';
import { isLarge } from './size.js';
import { isObject, type JsonObject, type JsonValue, setOwn } from './value.js';

/** A deep copy that shares no mutable part with its source. */
export function deepCopy<T extends JsonValue | undefined>(value: T): T {
  return copyValue(value) as T;
}

function copyValue(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((item) => copyValue(item) as JsonValue);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  // Unlike Object.keys, this allocates nothing.
  for (const key in value) {
    const field = value[key];
    if (field !== undefined) setOwn(copy, key, copyValue(field) as JsonValue);
  }
  return copy;
}

/** About a millisecond of work. */
const COPIES_PER_STEP = 5000;

/** {@link deepCopy}, in steps if the value is large. */
export function* deepCopyInSteps(value: JsonObject): Generator<undefined, JsonObject, undefined> {
  return isLarge(value) ? yield* copyObject(value, { copied: 0 }) : deepCopy(value);
}

interface Progress {
  copied: number;
}

function* copyObject(object: JsonObject, progress: Progress): Generator<undefined, JsonObject, undefined> {
  const copy: JsonObject = {};
  for (const key of yield* keysInSteps(object)) {
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
