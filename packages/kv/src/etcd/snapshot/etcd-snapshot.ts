import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { KeyValue } from '../../interface/index.js';
import { readKeyValue } from '../messages/kv-messages.js';
import { MessageReader } from '../messages/wire.js';
import { BoltFile } from './bolt-file.js';
import { SnapshotError } from './snapshot-error.js';

const HASH_BYTES = 32;
/** Of what bbolt writes, every size is a multiple of this one; a saved snapshot has its hash besides. */
const BLOCK_BYTES = 512;
const READ_BYTES = 1024 * 1024;
/** The keys of the bucket: a revision, an underline, and the place within it; of a deletion, with a `t`. */
const REVISION_BYTES = 17;
const TOMBSTONE = 0x74;

/**
 * The current values of the keys under `prefix` in a snapshot of etcd, which `etcdctl snapshot save` has written, or in the file `member/snap/db`
 * of an etcd that has stopped. The values come one by one, newest first. Each must be used before the next is asked for. Rejects with a
 * {@link SnapshotError} when the file is damaged or is something else, and with the system's error when it cannot be read.
 *
 * Upstream: etcd `server/storage/mvcc` revision.go, key_index.go; `etcdutl/snapshot`.
 */
export async function* readEtcdSnapshot(path: string, prefix: string): AsyncGenerator<KeyValue> {
  await verifyHash(path);
  await using file = await BoltFile.open(path);
  const seen = new Set<string>();
  for await (const { key: revision, value } of file.descending('key')) {
    if (revision.length < REVISION_BYTES) throw new SnapshotError('a revision is cut off');
    const found = keyValueOf(value);
    if (seen.has(found.key)) continue;
    seen.add(found.key);
    const isDeleted = revision[REVISION_BYTES] === TOMBSTONE;
    if (!isDeleted && found.key.startsWith(prefix)) yield found;
  }
}

function keyValueOf(message: Buffer): KeyValue {
  try {
    return readKeyValue(new MessageReader(message));
  } catch (error) {
    throw new SnapshotError('an entry cannot be decoded', { cause: error });
  }
}

/** A saved snapshot ends with a hash of what is before it. */
async function verifyHash(path: string): Promise<void> {
  await using file = await open(path);
  const { size } = await file.stat();
  if (size % BLOCK_BYTES !== HASH_BYTES) return;
  const content = createHash('sha256');
  const buffer = Buffer.alloc(READ_BYTES);
  for (let position = 0; position < size - HASH_BYTES; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(READ_BYTES, size - HASH_BYTES - position), position);
    if (bytesRead === 0) throw new SnapshotError('the file became shorter');
    content.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
  await file.read(buffer, 0, HASH_BYTES, size - HASH_BYTES);
  if (!content.digest().equals(buffer.subarray(0, HASH_BYTES)))
    throw new SnapshotError('its hash does not match its content');
}
