/** A document that does not fit its type. The message is the one that Go's decoder gives. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}
