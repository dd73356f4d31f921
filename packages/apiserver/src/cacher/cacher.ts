import { type Clock, type Random, sleep } from '@binnacle/apimachinery/clock';
import { StatusError } from '@binnacle/apimachinery/status';
import type { ObjectStorage, StoredObject } from '../storage/index.js';
import { CachedState } from './cached-state.js';
import type { CacherWatch, CacherWatchOptions } from './cacher-watch.js';
import { ChangeWindow } from './change-window.js';
import { Feed, type FeedListener } from './feed.js';
import type { FeedGate } from './feed-gate.js';
import type { FieldValue } from './field-index.js';
import { type Freshness, FreshnessWaiters } from './freshness.js';
import type { HistoryWatchOptions } from './history-watch.js';
import { IdleProgress } from './idle-progress.js';
import type { ObjectState } from './past-state.js';
import { type CacherStatistics, noStatistics } from './statistics.js';
import { Watches } from './watches.js';

export interface CacherOptions {
  readonly storage: ObjectStorage;
  /** Decides how long changes are kept, by its monotonic time, and how long reads wait. */
  readonly clock: Clock;
  /** Spreads the restarts of the feed. */
  readonly random: Random;
  /** Maximum age of a change in the window, from which watches can start, in milliseconds. */
  readonly windowMs?: number;
  /** Maximum number of changes in the window. */
  readonly windowSize?: number;
  /** Maximum number of bytes in the window. */
  readonly windowBytes?: number;
  /** Maximum number of events that wait for one watcher. */
  readonly watcherCapacity?: number;
  /** Maximum number of bytes that wait for one watcher. */
  readonly watcherBytes?: number;
  /** Called with the time that a read has waited for a fresh cache. */
  readonly waited?: (milliseconds: number) => void;
  /** Holds back everything that the store reports, for tests. Default: none. */
  readonly feedGate?: FeedGate | undefined;
}

const WINDOW_MS = 5 * 60_000;
const WINDOW_SIZE = 4096;
const WINDOW_BYTES = 64 * 1024 * 1024;
const WATCHER_CAPACITY = 8192;
const WATCHER_BYTES = 32 * 1024 * 1024;

/**
 * The current objects of one resource and its recent changes, fed by one watch of the store. Reads ask it first, and
 * it serves watches. Answers are the state at {@link revision}, never a mixture.
 *
 * It may be behind the store: {@link waitFor} waits for a revision. When its feed breaks, it ends its watchers, so
 * that clients resume, and rebuilds. Upstream: apiserver `pkg/storage/cacher`.
 */
export class Cacher {
  readonly #clock: Clock;
  readonly #state: CachedState;
  readonly #feed: Feed;
  readonly #freshness: FreshnessWaiters;
  readonly #watches: Watches;
  readonly #idleProgress: IdleProgress;
  readonly #statistics = noStatistics();
  readonly #stop = new AbortController();

  constructor(options: CacherOptions) {
    const { storage, feedGate: gate, waited, clock, random } = options;
    const { windowMs = WINDOW_MS, windowSize = WINDOW_SIZE, windowBytes = WINDOW_BYTES } = options;
    const { watcherCapacity: capacity = WATCHER_CAPACITY, watcherBytes: capacityBytes = WATCHER_BYTES } = options;
    const window = new ChangeWindow({ ageMs: windowMs, size: windowSize, bytes: windowBytes });
    const state = new CachedState(storage, window);
    this.#clock = clock;
    this.#state = state;
    this.#feed = new Feed({ storage, listener: this.#listener(), gate, signal: this.#stop.signal, clock, random });
    this.#freshness = new FreshnessWaiters({
      storage,
      revision: () => state.revision,
      isHeld: () => gate?.held === true,
      waited,
      clock,
    });
    this.#watches = new Watches({ storage, state, gate, statistics: this.#statistics, capacity, capacityBytes });
    this.#idleProgress = new IdleProgress(storage, clock);
  }

  /** The cache has everything in the store up to this revision. */
  get revision(): number {
    return this.#state.revision;
  }

  /** Increases whenever an object may have changed, and not with other revisions of the store. */
  get changes(): number {
    return this.#state.changes;
  }

  get built(): boolean {
    return this.#feed.live;
  }

  /** Why the cache cannot be built, other than an unavailable store: an object that cannot be converted. */
  get refusal(): StatusError | undefined {
    return this.#feed.refusal;
  }

  /** Whether any client has used the cache; it is not built before. */
  get wanted(): boolean {
    return this.#feed.started;
  }

  get size(): number {
    return this.#state.size;
  }

  /** The bytes of all objects, estimated. */
  get estimatedBytes(): number {
    return this.#state.estimatedBytes;
  }

  get statistics(): Readonly<CacherStatistics> {
    return this.#statistics;
  }

  /** The maximum number of recent changes. */
  get capacity(): number {
    return this.#state.window.capacity;
  }

  /** The number of watchers on the feed. */
  get watching(): number {
    return this.#watches.onFeed;
  }

  /** Starts the build on the first call. Settles when the cache can answer or is stopped. Never rejects. */
  ready(): Promise<void> {
    this.#idleProgress.start();
    return this.#feed.ready();
  }

  /**
   * Starts the build on the first call. Settles when the first attempt has succeeded or failed, or after `timeoutMs`.
   * Never rejects.
   */
  async firstAttempt(timeoutMs?: number): Promise<void> {
    this.#idleProgress.start();
    const attempt = this.#feed.firstAttempt();
    if (timeoutMs === undefined) return attempt;
    const ended = new AbortController();
    const late = sleep(this.#clock, timeoutMs, ended.signal).catch(() => undefined);
    await Promise.race([attempt, late]);
    ended.abort();
  }

  /** Ends the feed and all watchers. */
  stop(): void {
    this.#stop.abort();
    this.#idleProgress.stop();
    this.#watches.stop();
    this.#state.close();
    this.#freshness.stop();
  }

  get(key: string): StoredObject | undefined {
    return this.#state.get(key);
  }

  /** Objects under `prefix` in key order, from key `from` on. Consume it before the next await. */
  range(prefix: string, from?: string): Iterable<StoredObject> {
    return this.#state.range(prefix, from);
  }

  /** The keys of the unreadable objects, which the cache leaves out. */
  get damaged(): readonly string[] {
    return this.#state.damaged;
  }

  /** Whether unreadable objects exist under `prefix`, or at this key. The cache leaves them out. */
  isDamaged(prefix: string): boolean {
    return this.#state.isDamaged(prefix);
  }

  /** How many objects {@link range} would yield. */
  count(prefix: string, from?: string): number {
    return this.#state.count(prefix, from);
  }

  /**
   * Objects under `prefix` with this value of a field, in key order. Uses the index that {@link indexing} has built.
   */
  indexed(value: FieldValue, prefix: string): Iterable<StoredObject> {
    return this.#state.selected(value, prefix);
  }

  /** Builds the index of a field on the first call, in slices; undefined = the index is complete. */
  indexing(field: string): Promise<void> | undefined {
    return this.#state.indexing(field);
  }

  /** The state at a revision; undefined when it is older than the window or not reached yet. */
  stateAt(revision: number): ObjectState | undefined {
    return this.built ? this.#state.at(revision) : undefined;
  }

  /** Waits until the cache has reached `revision`. Returns `late` after `timeoutMs`, or when the cache stops. */
  waitFor(revision: number, timeoutMs: number): Freshness | Promise<Freshness> {
    return this.#freshness.waitFor(revision, timeoutMs);
  }

  /**
   * Opens a watch on the state as of now: every change after `fromRevision`, in order, each once. Changes older than
   * the window come from the store's history; when that is compacted, the watcher ends with StorageError `expired`.
   */
  watch(options: CacherWatchOptions): CacherWatch {
    return this.#watches.open(options);
  }

  /** A watch fed by the store's history and its later events, whether or not the cache is built. */
  watchStore(options: HistoryWatchOptions): CacherWatch {
    this.#idleProgress.start();
    return this.#watches.openOnHistory(options);
  }

  #listener(): FeedListener {
    const statistics = this.#statistics;
    const state = this.#state;
    const advance = (revision: number, at: number): void => {
      state.advance(revision, at);
      this.#freshness.reached();
    };
    return {
      begun: (read) => {
        state.replace(read);
        this.#watches.begin();
        void state.record();
        statistics.initializations++;
        this.#freshness.reached();
      },
      batch: ({ events, revision }) => {
        const at = this.#clock.monotonic();
        statistics.received += events.length;
        for (const event of events) {
          const change = state.apply(event, revision, at);
          if (change !== undefined) this.#watches.offer(change);
        }
        advance(revision, at);
      },
      progress: (revision) => {
        advance(revision, this.#clock.monotonic());
        this.#freshness.answered();
      },
      ended: (error) => {
        state.close();
        this.#watches.endOnFeed(error instanceof StatusError ? { type: 'failed', error } : { type: 'feed-lost' });
        this.#freshness.lost();
      },
    };
  }
}
