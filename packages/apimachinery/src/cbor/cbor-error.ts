import { majorTypeName } from './item-type.js';

/** The bytes are not CBOR, or have no JSON equivalent. Uses the message of upstream's decoder where it has one. */
export class CborError extends Error {
  override readonly name = 'CborError';
}

/** A well-formed item of a major type that is not allowed here. */
export function unacceptable(type: number, what: string): CborError {
  return new CborError(`cbor: data item of cbor type ${majorTypeName(type)} is not accepted by protocol: ${what}`);
}
