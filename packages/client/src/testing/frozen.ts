/** Freezes a value deeply, so that a test fails where code changes a shared object. Use it as an informer's `transform`. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const field of Object.values(value)) frozen(field);
  }
  return value;
}
