/** Major types of data items: RFC 8949, section 3.1. */
export const UNSIGNED = 0;
export const NEGATIVE = 1;
export const BYTES = 2;
export const TEXT = 3;
export const ARRAY = 4;
export const MAP = 5;
export const TAG = 6;
export const SIMPLE = 7;

const names: readonly string[] = [
  'positive integer',
  'negative integer',
  'byte string',
  'UTF-8 text string',
  'array',
  'map',
  'tag',
  'primitives',
];

/** As upstream's errors name a major type. */
export function majorTypeName(type: number): string {
  return names[type] ?? 'invalid type';
}

/** What {@link SIMPLE} items say by their additional information. */
export const FALSE = 20;
export const TRUE = 21;
export const NULL = 22;
export const FLOAT16 = 25;
export const FLOAT32 = 26;
export const FLOAT64 = 27;

/** Additional information: the argument stands in the next byte, in the next 2, 4, 8; or the length is not told beforehand. */
export const ONE_BYTE = 24;
export const TWO_BYTES = 25;
export const FOUR_BYTES = 26;
export const EIGHT_BYTES = 27;
export const INDEFINITE = 31;

/** What ends an item of indefinite length. */
export const BREAK = 0xff;
