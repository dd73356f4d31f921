/** A struct that Go embeds by value: created, with nothing set, where the object leaves it out. */
export function member<T, K extends keyof T>(owner: T, key: K): NonNullable<T[K]> {
  return (owner[key] ??= {} as NonNullable<T[K]>);
}

/** Absent as Go sees a string that is not behind a pointer. */
export function isEmpty(value: string | null | undefined): boolean {
  return value === undefined || value === null || value === '';
}

/** Absent as Go sees a map or a list that is asked for its length. */
export function hasNone(value: object | null | undefined): boolean {
  return value === undefined || value === null || Object.keys(value).length === 0;
}

/** A copy of a map of untrusted keys, so that two objects never share one. */
export function copyMap(map: { readonly [key: string]: string }): { [key: string]: string } {
  return Object.fromEntries(Object.entries(map));
}

/** Gives `target` the entries of `source` that it has none for. */
export function fillMap(target: { [key: string]: string }, source: { readonly [key: string]: string }): void {
  for (const [key, value] of Object.entries(source)) {
    if (!Object.hasOwn(target, key)) {
      Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
    }
  }
}
