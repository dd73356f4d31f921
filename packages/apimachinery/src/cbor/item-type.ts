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

/** The name of a major type in upstream's errors. */
export function majorTypeName(type: number): string {
  return names[type] ?? 'invalid type';
}

/** The additional information of {@link SIMPLE} items. */
export const FALSE = 20;
export const TRUE = 21;
export const NULL = 22;
export const FLOAT16 = 25;
export const FLOAT32 = 26;
export const FLOAT64 = 27;

/** Additional information: the argument is in the next 1, 2, 4 or 8 bytes, or the length is indefinite. */
export const ONE_BYTE = 24;
export const TWO_BYTES = 25;
export const FOUR_BYTES = 26;
export const EIGHT_BYTES = 27;
export const INDEFINITE = 31;

/** Ends an item of indefinite length. */
export const BREAK = 0xff;

/** The numbers of the supported tags: RFC 8949, section 3.4. */
export const DATE_TIME = 0;
export const EPOCH_TIME = 1;
export const BIG_POSITIVE = 2;
export const BIG_NEGATIVE = 3;
export const LATER_BASE64URL = 21;
export const LATER_BASE64 = 22;
export const LATER_BASE16 = 23;
