import { open } from 'node:fs/promises';
import type { KeyValue } from '../../interface/index.js';
import { readKeyValue } from '../messages/kv-messages.js';
import { MessageReader } from '../messages/wire.js';
import { BoltFile } from './bolt-file.js';
import { HASH_BYTES, hashOf } from './file-hash.js';
import { REVISION_BYTES } from './revision-key.js';
import { SnapshotError } from './snapshot-error.js';

/** The size of a file that bbolt writes is a multiple of this one. A saved snapshot ends with a hash besides. */
const BLOCK_BYTES = 512;
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
  const content = await hashOf(file, size - HASH_BYTES);
  const { buffer } = await file.read(Buffer.alloc(HASH_BYTES), 0, HASH_BYTES, size - HASH_BYTES);
  if (!content.equals(buffer)) throw new SnapshotError('its hash does not match its content');
}
