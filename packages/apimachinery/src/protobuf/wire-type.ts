/** How many bytes a value takes on the wire, as the low three bits of its tag say. */
export const VARINT = 0;
export const FIXED64 = 1;
/** A length, and so many bytes. */
export const DELIMITED = 2;
export const START_GROUP = 3;
export const END_GROUP = 4;
export const FIXED32 = 5;

export type WireType = typeof VARINT | typeof FIXED64 | typeof DELIMITED;

/** What stands before a field's value. Field numbers are those of schemas, and small. */
export function tagOf(number: number, wireType: WireType): number {
  return (number << 3) | wireType;
}
