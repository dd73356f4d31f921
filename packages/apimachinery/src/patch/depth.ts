import { isObject, type JsonValue, keysInSteps } from '../json/index.js';
import { Pace, type Steps } from '../work/index.js';

/** About a millisecond of work. */
const VALUES_PER_STEP = 10_000;

/** True if containers nest deeper than `maximum`. Recurses no deeper than that. */
export function isDeeperThanInSteps(value: JsonValue, maximum: number): Steps<boolean> {
  return isDeeper(value, maximum, new Pace(VALUES_PER_STEP));
}

function* isDeeper(value: JsonValue, maximum: number, pace: Pace): Steps<boolean> {
  if (typeof value !== 'object' || value === null) return false;
  if (maximum === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (pace.endsStep()) yield;
      if (isContainer(item) && (yield* isDeeper(item, maximum - 1, pace))) return true;
    }
    return false;
  }
  if (!isObject(value)) return false;
  for (const key of yield* keysInSteps(value)) {
    if (pace.endsStep()) yield;
    const member = value[key] ?? null;
    if (isContainer(member) && (yield* isDeeper(member, maximum - 1, pace))) return true;
  }
  return false;
}

function isContainer(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null;
}
