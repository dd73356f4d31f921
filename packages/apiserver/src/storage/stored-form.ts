import { crc32 } from 'node:zlib';

/**
 * Identifies the stored form of an object: its encoding, version and field order. It is a number, so that an object
 * need not keep the stored bytes beside the canonical ones.
 */
export type StoredForm = number;

/**
 * 0 = the canonical bytes. Equal forms have equal numbers. Different forms collide once in four billion; the store
 * then keeps the older form.
 */
export function storedForm(stored: Uint8Array, canonical: Uint8Array): StoredForm {
  if (stored === canonical) return 0;
  // A small integer needs no allocation.
  return crc32(stored) | 0 || 1;
}
