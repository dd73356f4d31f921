/** A value all of which may be changed, to any depth. */
export type Mutable<T> = T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T;

/** A deep copy of an object of the API that the caller owns and may change. */
export function mutableCopy<T>(object: T): Mutable<T> {
  return structuredClone(object) as Mutable<T>;
}
