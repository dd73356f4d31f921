/** Bytes that are no CBOR, or CBOR that has no form in JSON. The message is the one that upstream's decoder gives where it has one. */
export class CborError extends Error {
  override readonly name = 'CborError';
}
