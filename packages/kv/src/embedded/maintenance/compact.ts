import { repeat, systemClock } from '@binnacle/apimachinery/clock';
import { createEngineKV, FIRST_REVISION } from '../../engine/index.js';
import { KVError, type LocalKV } from '../../interface/index.js';
import { EmbeddedBackend } from '../backend.js';
import type { StoreLock } from '../locks/store-lock.js';
import { openEnvironment } from '../environment.js';
import type { MaintenanceOptions } from './progress.js';
import { rewriteStore, type RewriteSizes } from './rewrite-store.js';

export interface CompactOptions extends MaintenanceOptions {
  /** Keep the history since this time, in milliseconds since the epoch. Default: keep none. */
  readonly keepSince?: number;
}

export interface CompactReport extends RewriteSizes {
  /** History before this revision is removed. */
  readonly revision: number;
}

/** How often progress is reported, in milliseconds. */
const PROGRESS_INTERVAL = 100;
const EVENTS_PER_COMMIT = 1000;

/**
 * Compacts the history of a store that is not running, condenses what it keeps, and returns the space to the file system. Rejects as
 * {@link rewriteStore} does.
 */
export async function compactStore(options: CompactOptions): Promise<CompactReport> {
  const { progress = () => undefined, keepSince } = options;
  const { result: revision, ...sizes } = await rewriteStore(options, (directory, lock) =>
    forgetHistory(directory, lock, progress, keepSince),
  );
  return { revision, ...sizes };
}

async function forgetHistory(
  directory: string,
  held: StoreLock,
  progress: (step: string, done: number, total: number) => void,
  keepSince: number | undefined,
): Promise<number> {
  // The caller releases the lock, so closing this backend must not.
  const lock = { checkPlace: () => held.checkPlace(), release: () => undefined };
  const backend = new EmbeddedBackend(await openEnvironment(directory, undefined), lock);
  const { removedRevision } = backend.initialState();
  // Time does not advance: only a server expires keys.
  await using kv = createEngineKV({ backend, clock: systemClock, now: () => 0 });
  const revision = keepSince === undefined ? await kv.currentRevision() : await oldestKept(kv, keepSince);
  using _reports = repeat(systemClock, PROGRESS_INTERVAL, () => {
    progress('forgetting', backend.initialState().removedRevision - removedRevision, revision - removedRevision);
  });
  await kv.compact(revision);
  await condenseAll(backend, await kv.currentRevision());
  return revision;
}

/** Nothing else uses the store. */
async function condenseAll({ condenser }: EmbeddedBackend, revision: number): Promise<void> {
  while (condenser.condensedRevision < revision) {
    await condenser.condense(Math.min(revision, condenser.condensedRevision + EVENTS_PER_COMMIT));
  }
}

/** The revision at a time, or the oldest readable one if the history of that time is already compacted. */
async function oldestKept(kv: LocalKV, time: number): Promise<number> {
  try {
    return await kv.revisionAt(time);
  } catch (error) {
    if (!(error instanceof KVError) || error.code !== 'compacted') throw error;
    return Math.max((await kv.status()).compactedRevision, FIRST_REVISION);
  }
}
