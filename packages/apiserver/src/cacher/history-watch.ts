import { StatusError } from '@binnacle/apimachinery/status';
import type { EventBatch } from '@binnacle/kv';
import { type ObjectStorage, StorageError } from '../storage/index.js';
import type { CacherWatch, CacherWatchOptions } from './cacher-watch.js';
import { ObjectChange } from './event.js';
import type { FeedGate } from './feed-gate.js';
import { changeOf } from './stored-change.js';
import type { Watcher } from './watcher.js';

export interface HistoryWatchOptions extends CacherWatchOptions {
  readonly fromRevision: number;
}

/**
 * Feeds a watcher from the store's history and its later events, whether or not the cache is built. When the history
 * is compacted, the watcher ends with StorageError `expired`. Aborting `feed` stops the watch.
 */
export function openHistoryWatch(
  storage: ObjectStorage,
  gate: FeedGate | undefined,
  watcher: Watcher,
  { prefix, fromRevision, initial }: HistoryWatchOptions,
  feed: AbortController,
): CacherWatch {
  if (initial !== undefined) watcher.prime(initial);
  // A requested revision may not exist yet: report none before the store has.
  let position = initial === undefined ? 0 : fromRevision;
  const stop = (): void => feed.abort();
  feed.signal.addEventListener('abort', () => watcher.end({ type: 'stopped' }), { once: true });
  const sink = {
    batch: (batch: EventBatch) => {
      for (const event of batch.events) {
        const change = changeOf(storage, event, batch.revision, {});
        if (change instanceof ObjectChange) watcher.offer(change);
      }
      position = batch.revision;
      if (watcher.ended !== undefined) stop();
    },
    progress: (revision: number) => {
      position = revision;
    },
    ended: (error: Error) => watcher.end(isGone(error) ? { type: 'failed', error } : { type: 'feed-lost' }),
    whenReady: () => watcher.whenDrained(),
  };
  storage.watch({ prefix, fromRevision }, gate?.guard(sink) ?? sink, feed.signal);
  return { watcher, initialRevision: fromRevision, initialCount: initial?.length ?? 0, revision: () => position, stop };
}

/** Whether the requested revision is compacted, or its objects cannot be shown, so that the client cannot resume. */
function isGone(error: Error): boolean {
  if (error instanceof StatusError) return true;
  return error instanceof StorageError && error.code === 'expired';
}
