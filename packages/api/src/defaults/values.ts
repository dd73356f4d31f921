import { hasNoKeys, keysInSteps, setOwn } from '@binnacle/apimachinery/json';
import { Pace, type Steps } from '@binnacle/apimachinery/work';

/** Less than a millisecond of work. */
const ENTRIES_PER_STEP = 500;

/** Returns a struct that Go embeds by value, and creates it empty if the object omits it. */
export function member<T, K extends keyof T>(owner: T, key: K): NonNullable<T[K]> {
  return (owner[key] ??= {} as NonNullable<T[K]>);
}

/** Whether Go sees the string as absent when the field is not a pointer. */
export function isEmpty(value: string | null | undefined): boolean {
  return value === undefined || value === null || value === '';
}

/** Whether Go sees the map or list as empty. */
export function hasNone(value: object | null | undefined): boolean {
  return value === undefined || value === null || hasNoKeys(value);
}

/** Copies a map with untrusted keys, so that two objects never share one. */
export function copyMap(map: { readonly [key: string]: string }): { [key: string]: string } {
  return Object.fromEntries(Object.entries(map));
}

/** Adds the entries of `source` whose keys `target` lacks. */
export function* fillMap(target: { [key: string]: string }, source: { readonly [key: string]: string }): Steps<void> {
  const pace = new Pace(ENTRIES_PER_STEP);
  for (const key of yield* keysInSteps(source)) {
    const value = source[key];
    if (value !== undefined && !Object.hasOwn(target, key)) setOwn(target, key, value);
    if (pace.endsStep()) yield;
  }
}
