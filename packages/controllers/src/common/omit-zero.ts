/** Counts without those that are 0, which servers omit too: so an unchanged status compares as equal. */
export function omitZero<T extends Readonly<Record<string, number | undefined>>>(counts: T): Partial<NoUndefined<T>> {
  // The type says what the filter does: fewer fields, and none of them undefined.
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count)) as Partial<NoUndefined<T>>;
}

type NoUndefined<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> };
