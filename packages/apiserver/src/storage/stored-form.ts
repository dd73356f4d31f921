import { crc32 } from 'node:zlib';

/**
 * Tells apart the forms in which a store may hold one and the same object: other encodings, versions, orders of fields. A number, for who
 * keeps an object does not keep the bytes of the store beside the canonical ones.
 */
export type StoredForm = number;

/** 0 = the canonical bytes. Two forms of an object are the same when their numbers are, but for one in four billion, which is then not written anew. */
export function storedForm(stored: Uint8Array, canonical: Uint8Array): StoredForm {
  if (stored === canonical) return 0;
  // A small integer, for which nothing is allocated.
  return crc32(stored) | 0 || 1;
}
