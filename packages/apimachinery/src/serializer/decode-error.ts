/** A document that does not match its type. The message is that of Go's decoder. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}
