/** Wire types: the low three bits of a tag, which give the size of its value. */
export const VARINT = 0;
export const FIXED64 = 1;
/** A length, then that many bytes. */
export const DELIMITED = 2;
export const START_GROUP = 3;
export const END_GROUP = 4;
export const FIXED32 = 5;

export type WireType = typeof VARINT | typeof FIXED64 | typeof DELIMITED | typeof FIXED32;

/** The tag before a field's value. Field numbers come from schemas and are small. */
export function tagOf(number: number, wireType: WireType): number {
  return (number << 3) | wireType;
}
