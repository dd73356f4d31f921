import { KVError } from '../../interface/index.js';
import { type Environment, openEnvironment } from '../environment.js';
import { decodeHeader, encodeRecord, originIn, readNumber } from '../format/layout.js';
import { encodeOrigin } from '../format/origin.js';
import { PURGED_KEY } from '../format/purged-key.js';
import type { MaintenanceOptions } from './progress.js';
import { rewriteStore, type RewriteSizes } from './rewrite-store.js';

export interface PurgeOptions extends MaintenanceOptions {
  readonly key: string;
}

export interface PurgeReport extends RewriteSizes {
  /** The number of events that are purged. */
  readonly events: number;
}

/**
 * Removes all past values of a deleted key from a store that is not running, and from its file: history then knows neither
 * the key nor who wrote it. Each event becomes a deletion of no key, so that revisions have no gap. Rejects with
 * `unavailable` while the key exists, and with `corrupt` if a record is damaged; then nothing has changed.
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

async function purge(
  environment: Environment,
  { key, progress = () => undefined, signal }: PurgeOptions,
): Promise<number> {
  const { index, log } = environment;
  if (index.getBinary(Buffer.from(key)) !== undefined) {
    throw new KVError('unavailable', `${JSON.stringify(key)} exists; only what is deleted can be purged`);
  }
  const removed = environment.readMeta('removed');
  const records = log.getKeysCount();
  const superseded: Buffer[] = [];
  const emptied: { readonly place: Buffer; readonly bytes: Buffer }[] = [];
  let done = 0;
  for (const { key: place, value } of log.getRange({})) {
    if (done % 1000 === 0) {
      signal?.throwIfAborted();
      progress('searching', done, records);
    }
    done += 1;
    const revision = readNumber(place, 0);
    if (decodeHeader(revision, value).key !== key) continue;
    // Compaction leaves gaps up to here.
    if (revision <= removed) superseded.push(Buffer.from(place));
    else emptied.push({ place: Buffer.from(place), bytes: emptyRecord(revision, value) });
  }
  await environment.commit(() => {
    for (const place of superseded) void log.remove(place);
    for (const { place, bytes } of emptied) void log.put(place, bytes);
  });
  return superseded.length + emptied.length;
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
