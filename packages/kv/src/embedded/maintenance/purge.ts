import { statSync } from 'node:fs';
import { KVError } from '../../interface/index.js';
import { commitFailure, noSpace } from '../disk/failure.js';
import { hasSpace } from '../disk/free-space.js';
import { type Environment, openEnvironment } from '../environment.js';
import { readNumber } from '../format/layout.js';
import { decodeHeader, encodeRecord, originIn } from '../format/record.js';
import { encodeOrigin } from '../format/origin.js';
import { PURGED_KEY } from '../format/purged-key.js';
import { DEFAULT_PAGE_SIZE } from '../pages/data-file.js';
import type { MaintenanceOptions } from './progress.js';
import { rewriteStore, type RewriteSizes } from './rewrite-store.js';

export interface PurgeOptions extends MaintenanceOptions {
  readonly key: string;
}

export interface PurgeReport extends RewriteSizes {
  /** The number of events that are purged. */
  readonly events: number;
}

interface Purge {
  /** Places of records before the last compaction, which leaves gaps. */
  readonly superseded: readonly Buffer[];
  /** What replaces the later records. */
  readonly emptied: readonly { readonly place: Buffer; readonly bytes: Buffer }[];
}

/**
 * Removes all past values of a deleted key from a store that is not running, and from its file: history then knows neither
 * the key nor who wrote it. Each event becomes a deletion of no key, so that revisions have no gap.
 *
 * Rejects with `unavailable` while the key exists, with `corrupt` for damage that could hide it, or could spread, and with
 * `full`. After `full`, the values may be gone from the history and still in the file; call again with more space.
 */
export async function purgeStore(options: PurgeOptions): Promise<PurgeReport> {
  const { result: events, ...sizes } = await rewriteStore(options, async (directory) => {
    const environment = await openEnvironment(directory, undefined);
    try {
      return await purge(environment, options);
    } finally {
      await environment.close();
    }
  });
  return { events, ...sizes };
}

async function purge(environment: Environment, options: PurgeOptions): Promise<number> {
  const { index, overflow, unwritable } = environment;
  const key = JSON.stringify(options.key);
  if (unwritable !== undefined) throw unwritable;
  if (index.getBinary(Buffer.from(options.key)) !== undefined) {
    throw new KVError('unavailable', `${key} exists; only what is deleted can be purged`);
  }
  const { superseded, emptied } = await search(environment, options);
  // LMDB frees as many pages as the first page of a large value says.
  await overflow.run();
  await commit(environment, { superseded, emptied });
  return superseded.length + emptied.length;
}

async function search(environment: Environment, options: PurgeOptions): Promise<Purge> {
  const { key, progress = () => undefined, signal } = options;
  const removed = environment.readMeta('removed');
  const records = environment.log.getKeysCount();
  const superseded: Buffer[] = [];
  const emptied: { readonly place: Buffer; readonly bytes: Buffer }[] = [];
  let isDeleted = true;
  let done = 0;
  for (const { key: place, value } of environment.log.getRange({})) {
    if (done % 1000 === 0) {
      signal?.throwIfAborted();
      progress('searching', done, records);
    }
    done += 1;
    const revision = readNumber(place, 0);
    const header = decodeHeader(revision, value);
    if (header.key !== key) continue;
    isDeleted = header.type === 'delete';
    if (revision <= removed) superseded.push(Buffer.from(place));
    else emptied.push({ place: Buffer.from(place), bytes: emptyRecord(revision, value) });
  }
  if (isDeleted) return { superseded, emptied };
  throw new KVError('corrupt', `the index of the store lacks ${JSON.stringify(key)}, which exists`);
}

async function commit(environment: Environment, { superseded, emptied }: Purge): Promise<void> {
  const { directory, dataFile, log } = environment;
  // Each record may be on a page of its own, which LMDB copies.
  const bytes = Math.min((superseded.length + emptied.length) * DEFAULT_PAGE_SIZE, statSync(dataFile).size);
  // LMDB must not meet a full disk: its binding may then end the process.
  if (!hasSpace(directory, bytes)) throw noSpace(directory);
  try {
    await environment.commit(() => {
      for (const place of superseded) void log.remove(place);
      for (const each of emptied) void log.put(each.place, each.bytes);
    });
  } catch (error) {
    throw await commitFailure(error, directory, bytes);
  }
}

/** Keeps the time, by which the history finds revisions. */
function emptyRecord(revision: number, bytes: Buffer): Buffer {
  const time = originIn(revision, bytes)?.time;
  const record = {
    type: 'delete',
    key: PURGED_KEY,
    createRevision: revision,
    previousRevision: 0,
    expiresAt: 0,
    tag: 0,
    value: Buffer.alloc(0),
  } as const;
  return encodeRecord(revision, record, time === undefined ? undefined : encodeOrigin({ time }, 0));
}
