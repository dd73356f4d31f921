import { keysInSteps } from '../json/index.js';
import { ERRORS_MAXIMUM, type FieldError } from '../status/index.js';
import { Pace, type Steps } from '../work/index.js';

/** A few milliseconds of work at most. */
const ENTRIES_PER_STEP = 500;

/** Like {@link itemByItem}, for the entries of a map. To list the keys of a large map is a step of its own. */
export function* entryByEntry<T>(
  map: Readonly<Record<string, T>> | null | undefined,
  rule: (key: string, value: T) => readonly FieldError[],
): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  if (map === null || map === undefined) return errors;
  const pace = new Pace(ENTRIES_PER_STEP);
  for (const key of yield* keysInSteps(map)) {
    for (const error of rule(key, map[key] as T)) errors.push(error);
    if (errors.length >= ERRORS_MAXIMUM) break;
    if (pace.endsStep()) yield;
  }
  return errors;
}

/** The errors of a rule for every item and its path, in steps. Stops after {@link ERRORS_MAXIMUM} errors. */
export function* itemByItem<T>(
  items: readonly T[] | null | undefined,
  path: string,
  rule: (item: T, path: string) => readonly FieldError[],
): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  const pace = new Pace(ENTRIES_PER_STEP);
  for (const [index, item] of (items ?? []).entries()) {
    for (const error of rule(item, `${path}[${index}]`)) errors.push(error);
    if (errors.length >= ERRORS_MAXIMUM) break;
    if (pace.endsStep()) yield;
  }
  return errors;
}

/** Like {@link itemByItem}, for items whose rule may take long. */
export function* eachInSteps<T>(
  items: readonly T[] | null | undefined,
  path: string,
  rule: (item: T, path: string) => Steps<FieldError[]>,
): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  const pace = new Pace(ENTRIES_PER_STEP);
  for (const [index, item] of (items ?? []).entries()) {
    for (const error of yield* rule(item, `${path}[${index}]`)) errors.push(error);
    if (errors.length >= ERRORS_MAXIMUM) break;
    if (pace.endsStep()) yield;
  }
  return errors;
}
