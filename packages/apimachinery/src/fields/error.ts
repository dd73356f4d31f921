/** An invalid selector, or one that a resource does not support. The HTTP edge answers it with 400. */
export class FieldSelectorError extends Error {
  override readonly name = 'FieldSelectorError';
}
