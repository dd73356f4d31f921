import { ERRORS_MAXIMUM, type FieldError } from '../status/index.js';

/** The errors of a rule for every item, in order. Stops after {@link ERRORS_MAXIMUM} errors. */
export function errorsOfEach<T>(
  items: Iterable<T> | null | undefined,
  rule: (item: T, index: number) => readonly FieldError[],
): FieldError[] {
  const errors: FieldError[] = [];
  let index = 0;
  for (const item of items ?? []) {
    for (const error of rule(item, index++)) errors.push(error);
    if (errors.length >= ERRORS_MAXIMUM) break;
  }
  return errors;
}

/** Like {@link errorsOfEach}, for the entries of a map. */
export function errorsOfEntries<T>(
  map: Readonly<Record<string, T>> | null | undefined,
  rule: (key: string, value: T) => readonly FieldError[],
): FieldError[] {
  const entries = map ?? {};
  return errorsOfEach(Object.keys(entries), (key) => rule(key, entries[key] as T));
}
