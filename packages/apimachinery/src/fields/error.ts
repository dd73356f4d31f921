/** A selector that cannot be read, or that a resource does not support. The HTTP edge answers it as a bad request. */
export class FieldSelectorError extends Error {
  override readonly name = 'FieldSelectorError';
}
