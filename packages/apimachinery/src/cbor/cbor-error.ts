import { majorTypeName } from './item-type.js';

/** Bytes that are no CBOR, or CBOR that has no form in JSON. The message is the one that upstream's decoder gives where it has one. */
export class CborError extends Error {
  override readonly name = 'CborError';
}

/** For items that are well-formed, of a major type, and not to be had. */
export function unacceptable(type: number, what: string): CborError {
  return new CborError(`cbor: data item of cbor type ${majorTypeName(type)} is not accepted by protocol: ${what}`);
}
