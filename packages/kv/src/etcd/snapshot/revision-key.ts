/** The length of a key in etcd's bucket `key`: a revision, an underline, and the place within it. The key of a deletion ends with a `t` after that. */
export const REVISION_BYTES = 17;

/** The key of the first write of a revision. Upstream: etcd `server/storage/mvcc` revision.go. */
export function revisionKey(revision: number): Buffer {
  const key = Buffer.alloc(REVISION_BYTES);
  key.writeBigUInt64BE(BigInt(revision), 0);
  key.write('_', 8);
  return key;
}
