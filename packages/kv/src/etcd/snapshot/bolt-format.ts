/** The numbers of the format are those of upstream: go.etcd.io/bbolt `internal/common` meta.go, page.go, bucket.go. */
export const MAGIC = 0xed0cdaed;
export const VERSION = 2;
export const META_BYTES = 64;
export const PAGE_HEADER_BYTES = 16;
export const ELEMENT_BYTES = 16;
export const BUCKET_HEADER_BYTES = 16;
export const BRANCH_PAGE = 0x01;
export const LEAF_PAGE = 0x02;
export const META_PAGE = 0x04;
export const FREE_LIST_PAGE = 0x10;
export const BUCKET_ENTRY = 0x01;

/** `[key, value]` */
export type BoltEntry = readonly [key: Uint8Array, value: Uint8Array];

/** FNV-1a, of 64 bits: the checksum of the metadata. */
export function checksum(bytes: Buffer): bigint {
  let sum = 0xcbf29ce484222325n;
  for (const byte of bytes) sum = BigInt.asUintN(64, (sum ^ BigInt(byte)) * 0x100000001b3n);
  return sum;
}
