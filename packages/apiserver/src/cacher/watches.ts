import type { ObjectStorage, StoredObject } from '../storage/index.js';
import type { CachedState } from './cached-state.js';
import type { CacherWatch, CacherWatchOptions } from './cacher-watch.js';
import type { ObjectChange, ObjectFilter } from './event.js';
import type { FeedGate } from './feed-gate.js';
import { type HistoryWatchOptions, openHistoryWatch } from './history-watch.js';
import { SharedRange } from './shared-range.js';
import type { CacherStatistics } from './statistics.js';
import { Watcher, type WatcherEnd } from './watcher.js';
import { WatcherSet } from './watcher-set.js';

export interface WatchesOptions {
  readonly storage: ObjectStorage;
  readonly state: CachedState;
  readonly gate: FeedGate | undefined;
  readonly statistics: CacherStatistics;
  /** Maximum number of events that wait for one watcher. */
  readonly capacity: number;
  /** Maximum number of bytes that wait for one watcher. */
  readonly capacityBytes: number;
}

/** The open watches of a resource: on the cache's feed, or on the store's history. */
export class Watches {
  readonly #options: WatchesOptions;
  readonly #watchers: WatcherSet;
  readonly #present: SharedRange;
  /** Each feeds one watch from the store's history. */
  readonly #historyFeeds = new Set<AbortController>();
  /** Why the feed has ended; undefined = it is live, or has not begun. */
  #ended: WatcherEnd | undefined;

  constructor(options: WatchesOptions) {
    this.#options = options;
    this.#watchers = new WatcherSet(options.storage.prefix);
    this.#present = new SharedRange(options.state);
  }

  /** The number of watchers on the feed. */
  get onFeed(): number {
    return this.#watchers.size;
  }

  /** Every change after `fromRevision`, in order, each once. Changes older than the window come from the history. */
  open(options: CacherWatchOptions): CacherWatch {
    const { state, statistics } = this.#options;
    const { prefix, filter, fromRevision, initial } = options;
    const initialRevision = fromRevision ?? state.revision;
    if (initialRevision < state.window.start && this.#ended?.type !== 'stopped') {
      return this.openOnHistory({ ...options, fromRevision: initialRevision });
    }
    const watcher = this.#watcher(options, initialRevision);
    const objects = fromRevision === undefined ? this.#presentObjects(prefix, filter) : initial;
    if (objects !== undefined) watcher.prime(objects);
    if (fromRevision !== undefined) for (const change of state.window.after(fromRevision)) watcher.offer(change);
    const initialCount = objects?.length ?? 0;
    statistics.initialEvents += initialCount;
    if (this.#ended !== undefined) watcher.end(this.#ended);
    else if (watcher.ended === undefined) this.#watchers.add(watcher, filter?.selected);
    return {
      watcher,
      initialRevision,
      initialCount,
      revision: () => state.revision,
      stop: () => {
        this.#watchers.delete(watcher);
        watcher.end({ type: 'stopped' });
      },
    };
  }

  /** The same, but only from the store, whether or not the cache is built. */
  openOnHistory(options: HistoryWatchOptions): CacherWatch {
    const { storage, gate, statistics } = this.#options;
    const watcher = this.#watcher(options, options.fromRevision);
    const feed = new AbortController();
    this.#historyFeeds.add(feed);
    feed.signal.addEventListener('abort', () => this.#historyFeeds.delete(feed), { once: true });
    const watch = openHistoryWatch(storage, gate, watcher, options, feed);
    statistics.initialEvents += watch.initialCount;
    if (this.#ended?.type === 'stopped') feed.abort();
    return watch;
  }

  offer(change: ObjectChange): void {
    this.#watchers.offer(change);
  }

  /** The feed is live: watches can be opened on it. */
  begin(): void {
    this.#ended = undefined;
  }

  /** Ends the watches on the feed, and those that are opened before it begins again. History watches continue. */
  endOnFeed(reason: WatcherEnd): void {
    this.#ended = reason;
    this.#watchers.endAll(reason);
  }

  /** Ends all watches, and later ones at once. */
  stop(): void {
    this.endOnFeed({ type: 'stopped' });
    for (const feed of this.#historyFeeds) feed.abort();
  }

  #presentObjects(prefix: string, filter: ObjectFilter | undefined): readonly StoredObject[] {
    if (filter === undefined) return this.#present.of(prefix);
    const { state } = this.#options;
    const { selected } = filter;
    return Array.from(selected === undefined ? state.range(prefix) : state.selected(selected, prefix)).filter(filter);
  }

  #watcher({ prefix, filter }: CacherWatchOptions, fromRevision: number): Watcher {
    const { capacity, capacityBytes, statistics } = this.#options;
    const fellBehind = (): void => {
      statistics.fellBehind++;
    };
    return new Watcher({ prefix, filter, fromRevision, capacity, capacityBytes, fellBehind });
  }
}
