import { type JsonObject, setOwn } from '../json/index.js';
import type { Pace, Steps } from '../work/index.js';

/** The engine copies an object with more fields than this slowly, and in one step. */
const MANY_FIELDS = 10_000;

/** A shallow copy, in steps for an object with many fields. */
export function* copyFields(object: Readonly<JsonObject>, pace: Pace): Steps<JsonObject> {
  const keys = Object.keys(object);
  if (keys.length <= MANY_FIELDS) return { ...object };
  yield;
  const copy: JsonObject = {};
  for (const key of keys) {
    const value = object[key];
    if (value !== undefined) setOwn(copy, key, value);
    if (pace.endsStep()) yield;
  }
  return copy;
}
