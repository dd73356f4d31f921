/** The numbers of the supported tags: RFC 8949, section 3.4. */
export const DATE_TIME = 0;
export const EPOCH_TIME = 1;
export const BIG_POSITIVE = 2;
export const BIG_NEGATIVE = 3;
export const LATER_BASE64URL = 21;
export const LATER_BASE64 = 22;
export const LATER_BASE16 = 23;
