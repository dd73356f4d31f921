import type { FileHandle } from 'node:fs/promises';
import { encodeKeyValue } from '../messages/kv-messages.js';
import type { BoltEntry } from './bolt-format.js';
import { hashOf } from './file-hash.js';
import { revisionKey } from './revision-key.js';
import { type Bucket, writeBoltFile } from './write-bolt-file.js';

/** A key whose value was written at a revision. */
export interface SnapshotEntry {
  readonly key: string;
  readonly value: Uint8Array;
  /** 2 or more. An etcd without writes is at revision 1. */
  readonly revision: number;
}

/** What etcd creates in its store, besides the values. Upstream: etcd `server/storage/schema`. */
const emptyBuckets = ['alarm', 'auth', 'authRoles', 'authUsers', 'cluster'];
const moreEmptyBuckets = ['lease', 'members', 'members_removed'];

/**
 * Writes a snapshot as `etcdctl snapshot save` does, with its hash, to an empty file that is open for reading and writing. The entries have distinct
 * keys and are in the ascending order of their revisions. They are read one by one. The history before `revision`, which is at least that of
 * the last entry, is marked as compacted. So a watch from an earlier revision fails and does not miss a deletion.
 */
export async function writeEtcdSnapshot(
  file: FileHandle,
  entries: AsyncIterable<SnapshotEntry> | Iterable<SnapshotEntry>,
  revision: number,
): Promise<void> {
  const compacted = revisionKey(revision);
  const buckets: readonly Bucket[] = [
    ...emptyBuckets.map((name) => ({ name, entries: [] })),
    { name: 'key', entries: encoded(entries) },
    ...moreEmptyBuckets.map((name) => ({ name, entries: [] })),
    {
      name: 'meta',
      entries: [
        [Buffer.from('finishedCompactRev'), compacted],
        [Buffer.from('scheduledCompactRev'), compacted],
      ],
    },
  ];
  const length = await writeBoltFile(file, buckets);
  await file.writeFile(await hashOf(file, length));
}

async function* encoded(
  entries: AsyncIterable<SnapshotEntry> | Iterable<SnapshotEntry>,
): AsyncGenerator<BoltEntry, void> {
  let last = 1;
  for await (const { key, value, revision } of entries) {
    if (revision <= last) throw new RangeError(`revision ${revision} does not follow ${last}`);
    last = revision;
    yield [revisionKey(revision), encodeKeyValue({ key, value, createRevision: revision, modRevision: revision })];
  }
}
