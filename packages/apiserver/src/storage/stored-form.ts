import { crc32 } from 'node:zlib';

/**
 * Identifies the stored form of an object: its encoding, version and field order. It is a number, so that an object
 * need not keep the stored bytes beside the canonical ones.
 */
export type StoredForm = number;

/** The canonical bytes. */
export const CANONICAL: StoredForm = 0;
/** Other bytes, such as encrypted ones, from which the store below makes the canonical ones. */
export const TRANSFORMED: StoredForm = 1;
/** A form that no write yields, so that each write replaces it. */
export const OUTDATED: StoredForm = 2;
/** The smallest result of {@link storedForm}. Smaller numbers have the names above. */
const FIRST_CHECKSUM = 3;

/**
 * Equal forms have equal numbers. Different forms collide once in four billion; the store
 * then keeps the older form.
 */
export function storedForm(stored: Uint8Array, canonical: Uint8Array): StoredForm {
  if (stored === canonical) return CANONICAL;
  // A small integer needs no allocation.
  const checksum = crc32(stored) | 0;
  return checksum >= 0 && checksum < FIRST_CHECKSUM ? FIRST_CHECKSUM : checksum;
}
