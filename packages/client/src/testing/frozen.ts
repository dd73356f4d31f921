/** The same value, in which nothing can be changed any more: a test fails where somebody changes what all share. A `transform` for informers. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const field of Object.values(value)) frozen(field);
  }
  return value;
}
