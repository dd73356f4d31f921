/** The first bytes of every object in CBOR, on the wire and in the store: the tag 55799 of self-described CBOR. */
export const CBOR_PREFIX = Uint8Array.of(0xd9, 0xd9, 0xf7);

/** Whether the bytes are an object in CBOR. Does not load the CBOR codec. */
export function isCbor(bytes: Uint8Array): boolean {
  return CBOR_PREFIX.every((byte, index) => bytes[index] === byte);
}
