import { compareUtf8 } from '@binnacle/apimachinery/json';
import { StatusError } from '@binnacle/apimachinery/status';
import type { EventBatch, KeyEvent, ValueReader, WatchSink } from '@binnacle/kv/interface';
import { inTurns, nextTurn } from '../slices/index.js';
import { keyAfter, type ObjectPage, type ObjectStorage, StorageError, type StoredObject } from '../storage/index.js';
import { ChangeWindow } from './change-window.js';
import { ObjectChange, ObjectEvent, type ObjectFilter } from './event.js';
import type { FeedGate } from './feed-gate.js';
import { FieldIndex, type FieldValue } from './field-index.js';
import { KeptObjects } from './kept-objects.js';
import { type ObjectState, PastState } from './past-state.js';
import { ProgressRequests } from './progress-requests.js';
import { type CacherStatistics, noStatistics } from './statistics.js';
import { Watcher } from './watcher.js';
import { WatcherSet } from './watcher-set.js';

export interface CacherOptions {
  readonly storage: ObjectStorage;
  /** Milliseconds of a monotonic clock, which decides how long changes are kept. Default: the process's. */
  readonly now?: () => number;
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

export interface CacherWatchOptions {
  readonly prefix: string;
  readonly filter: ObjectFilter | undefined;
  /** Undefined: start with the current objects, as ADDED. */
  readonly fromRevision: number | undefined;
  /** Objects to send first, as ADDED: every match in the state at `fromRevision`. */
  readonly initial?: readonly StoredObject[];
}

/**
 * - `reached`: the cache has the revision
 * - `late`: the cache has not reached it in time
 * - `unknown`: a remote store has not confirmed it; a reader that must not be stale reads the store
 */
export type Freshness = 'reached' | 'late' | 'unknown';

export interface CacherWatch {
  readonly watcher: Watcher;
  /** The revision after which the watch begins; with initial objects, the revision of their state. */
  readonly initialRevision: number;
  /** How many of the first events are initial objects. The first `take` returns all of them, and may return more. */
  readonly initialCount: number;
  /** The watcher has been offered everything up to this revision; 0 = not yet known. */
  revision(): number;
  stop(): void;
}

const WINDOW_MS = 5 * 60_000;
const WINDOW_SIZE = 4096;
const WINDOW_BYTES = 64 * 1024 * 1024;
const WATCHER_CAPACITY = 8192;
const WATCHER_BYTES = 32 * 1024 * 1024;
/** The backoff after the first failure; it doubles with each further one. */
const SHORTEST_REBUILD_PAUSE_MS = 250;
const LONGEST_REBUILD_PAUSE_MS = 8000;

/** How often to request progress from a remote store while no reader waits, for the bookmarks of idle resources. */
const PROGRESS_INTERVAL_MS = 30_000;

/** Objects per read during a build: they take far more memory as read than as kept. */
const BUILD_PAGE = 500;

interface Waiter {
  readonly revision: number;
  readonly resolve: (freshness: Freshness) => void;
}

/**
 * The current objects of one resource and its recent changes, fed by one watch of the store. Reads ask it first, and
 * it serves watches. Answers are the state at {@link revision}, never a mixture.
 *
 * It may be behind the store: {@link waitFor} waits for a revision. When its feed breaks, it ends its watchers, so
 * that clients resume, and rebuilds. Upstream: apiserver `pkg/storage/cacher`.
 */
export class Cacher {
  readonly #storage: ObjectStorage;
  readonly #now: () => number;
  readonly #watcherCapacity: number;
  readonly #watcherBytes: number;
  #objects = new KeptObjects();
  /** Reads the objects' bytes from an in-process store. */
  #reader: ValueReader | undefined;
  /** Keys of unreadable objects, which the cache leaves out. */
  #damaged: Set<string> = new Set();
  readonly #watchers: WatcherSet;
  readonly #indexes = new Map<string, FieldIndex>();
  /** The indexes that are still being built. */
  readonly #indexing = new Map<string, Promise<void>>();
  readonly #window: ChangeWindow;
  /** Only a remote store needs requests for progress. */
  readonly #progress: ProgressRequests | undefined;
  /** Each ends one watch that reads the store's history. */
  readonly #historyWatches = new Set<() => void>();
  readonly #stop = new AbortController();
  readonly #waiters = new Set<Waiter>();
  #revision = 0;
  #firstAttempt: Promise<void> | undefined;
  #ready: Promise<void> = Promise.resolve();
  #built = false;
  #failures = 0;
  #refusal: StatusError | undefined;
  #progressTimer: NodeJS.Timeout | undefined;
  readonly #statistics = noStatistics();
  readonly #waited: ((milliseconds: number) => void) | undefined;
  readonly #feedGate: FeedGate | undefined;

  constructor(options: CacherOptions) {
    this.#storage = options.storage;
    this.#now = options.now ?? (() => performance.now());
    this.#window = new ChangeWindow({
      ageMs: options.windowMs ?? WINDOW_MS,
      size: options.windowSize ?? WINDOW_SIZE,
      bytes: options.windowBytes ?? WINDOW_BYTES,
    });
    this.#watchers = new WatcherSet(options.storage.prefix);
    this.#progress = options.storage.isRemote
      ? new ProgressRequests({
          ask: () => this.#storage.requestProgress(),
          isWanted: () => this.#waiters.size > 0,
          refused: () => this.#releaseWaiters('unknown'),
        })
      : undefined;
    this.#watcherCapacity = options.watcherCapacity ?? WATCHER_CAPACITY;
    this.#watcherBytes = options.watcherBytes ?? WATCHER_BYTES;
    this.#waited = options.waited;
    this.#feedGate = options.feedGate;
  }

  /** The cache has everything in the store up to this revision. */
  get revision(): number {
    return this.#revision;
  }

  get built(): boolean {
    return this.#built;
  }

  /** Why the cache cannot be built, other than an unavailable store: an object that cannot be converted. */
  get refusal(): StatusError | undefined {
    return this.#built ? undefined : this.#refusal;
  }

  /** Whether any client has used the cache; it is not built before. */
  get wanted(): boolean {
    return this.#firstAttempt !== undefined;
  }

  get size(): number {
    return this.#objects.size;
  }

  get statistics(): Readonly<CacherStatistics> {
    return this.#statistics;
  }

  /** The maximum number of recent changes. */
  get capacity(): number {
    return this.#window.capacity;
  }

  /** The number of watchers on the feed. */
  get watching(): number {
    return this.#watchers.size;
  }

  /** Starts the build on the first call. Settles when the cache can answer or is stopped. Never rejects. */
  ready(): Promise<void> {
    void this.firstAttempt();
    return this.#ready;
  }

  /** Starts the build on the first call. Settles when the first attempt has succeeded or failed. Never rejects. */
  firstAttempt(): Promise<void> {
    if (this.#firstAttempt === undefined) {
      this.#followProgress();
      const failed = this.#build().then(
        () => false,
        (error: unknown) => {
          this.#refusedBy(error);
          return true;
        },
      );
      this.#firstAttempt = failed.then(() => undefined);
      this.#ready = failed.then((again) => (again ? this.#rebuild() : undefined));
    }
    return this.#firstAttempt;
  }

  /** Ends the feed and all watchers. */
  stop(): void {
    this.#stop.abort();
    this.#watchers.endAll({ type: 'stopped' });
    for (const end of this.#historyWatches) end();
    this.#reader?.close();
    clearInterval(this.#progressTimer);
    this.#progress?.stop();
    this.#releaseWaiters('late');
  }

  get(key: string): StoredObject | undefined {
    return this.#objects.get(key);
  }

  /** Objects under `prefix` in key order, from key `from` on. Consume it before the next await. */
  range(prefix: string, from?: string): Iterable<StoredObject> {
    return this.#objects.range(prefix, from);
  }

  /** Whether unreadable objects exist under `prefix`, or at this key. The cache leaves them out. */
  isDamaged(prefix: string): boolean {
    for (const key of this.#damaged) if (key.startsWith(prefix)) return true;
    return false;
  }

  /** How many objects {@link range} would yield. */
  count(prefix: string, from?: string): number {
    return this.#objects.count(prefix, from);
  }

  /**
   * Objects under `prefix` with this value of a field, in key order. Uses the index that {@link indexing} has built.
   */
  *indexed({ field, value }: FieldValue, prefix: string): Iterable<StoredObject> {
    const index = this.#indexing.has(field) ? undefined : this.#indexes.get(field);
    if (index !== undefined) {
      yield* index.range(value, prefix);
      return;
    }
    for (const object of this.#objects.range(prefix)) if (object.fields[field] === value) yield object;
  }

  /** Builds the index of a field on the first call, in slices; undefined = the index is complete. */
  indexing(field: string): Promise<void> | undefined {
    if (this.#indexes.has(field)) return this.#indexing.get(field);
    const index = new FieldIndex(field);
    this.#indexes.set(field, index);
    const objects = this.#objects;
    // The feed adds concurrent changes to the index.
    const made = inTurns(Array.from(objects.range('')), (object) => {
      if (objects.get(object.key) === object) index.replace(undefined, object);
    }).finally(() => {
      if (this.#indexing.get(field) === made) this.#indexing.delete(field);
    });
    this.#indexing.set(field, made);
    return made;
  }

  /** The state at a revision; undefined when it is older than the window or not reached yet. */
  stateAt(revision: number): ObjectState | undefined {
    if (!this.#built || revision < this.#window.start || revision > this.#revision) return undefined;
    if (this.#window.isUnchangedSince(revision)) return this.#objects;
    return new PastState(this.#objects, this.#window.after(revision));
  }

  /** Waits until the cache has reached `revision`. Returns `late` after `timeoutMs`, or when the cache stops. */
  waitFor(revision: number, timeoutMs: number): Freshness | Promise<Freshness> {
    if (this.#revision >= revision) {
      this.#waited?.(0);
      return 'reached';
    }
    if (this.#stop.signal.aborted) return 'late';
    if (this.#feedGate?.held === true) return 'unknown';
    const start = performance.now();
    return new Promise((resolve) => {
      const timer = setTimeout(() => waiter.resolve('late'), timeoutMs);
      const waiter: Waiter = {
        revision,
        resolve: (freshness) => {
          clearTimeout(timer);
          this.#waiters.delete(waiter);
          this.#waited?.(performance.now() - start);
          resolve(freshness);
        },
      };
      this.#waiters.add(waiter);
      if (this.#progress?.begin() === false) waiter.resolve('unknown');
    });
  }

  /**
   * Opens a watch on the state as of now: every change after `fromRevision`, in order, each once. Changes older than
   * the window come from the store's history; when that is compacted, the watcher ends with StorageError `expired`.
   */
  watch(options: CacherWatchOptions): CacherWatch {
    const { filter, fromRevision } = options;
    const initialRevision = fromRevision ?? this.#revision;
    if (initialRevision < this.#window.start && !this.#stop.signal.aborted) {
      return this.watchStore({ ...options, fromRevision: initialRevision });
    }
    const watcher = this.#watcher(options, initialRevision);
    let initialCount = 0;
    if (fromRevision === undefined) {
      initialCount = prime(watcher, this.#selectedObjects(options), filter);
    } else {
      if (options.initial !== undefined) initialCount = prime(watcher, options.initial, undefined);
      for (const change of this.#window.after(fromRevision)) watcher.offer(change);
    }
    this.#statistics.initialEvents += initialCount;
    if (this.#stop.signal.aborted) watcher.end({ type: 'stopped' });
    else if (watcher.ended === undefined) this.#watchers.add(watcher, filter?.selected);
    return {
      watcher,
      initialRevision,
      initialCount,
      revision: () => this.#revision,
      stop: () => {
        this.#watchers.delete(watcher);
        watcher.end({ type: 'stopped' });
      },
    };
  }

  /** A watch fed by the store's history and its later events, whether or not the cache is built. */
  watchStore(options: CacherWatchOptions & { readonly fromRevision: number }): CacherWatch {
    const { prefix, fromRevision } = options;
    const watcher = this.#watcher(options, fromRevision);
    const initialCount = options.initial === undefined ? 0 : prime(watcher, options.initial, undefined);
    this.#statistics.initialEvents += initialCount;
    this.#followProgress();
    // A requested revision may not exist yet: report none before the store has.
    let position = options.initial === undefined ? 0 : fromRevision;
    const feed = new AbortController();
    const stop = (): void => {
      this.#historyWatches.delete(stop);
      feed.abort();
      watcher.end({ type: 'stopped' });
    };
    this.#historyWatches.add(stop);
    this.#storage.watch(
      { prefix, fromRevision },
      this.#guarded({
        batch: (batch) => {
          for (const event of batch.events) watcher.offer(this.#changeOf(event, batch.revision));
          position = batch.revision;
          if (watcher.ended !== undefined) stop();
        },
        progress: (revision) => {
          position = revision;
        },
        ended: (error) => watcher.end(isGone(error) ? { type: 'failed', error } : { type: 'feed-lost' }),
      }),
      feed.signal,
    );
    if (this.#stop.signal.aborted) stop();
    return { watcher, initialRevision: fromRevision, initialCount, revision: () => position, stop };
  }

  /** Without progress, the position of an idle feed falls behind the store's compaction. */
  #followProgress(): void {
    if (!this.#storage.isRemote || this.#progressTimer !== undefined || this.#stop.signal.aborted) return;
    this.#progressTimer = setInterval(() => this.#storage.requestProgress(), PROGRESS_INTERVAL_MS);
    this.#progressTimer.unref();
  }

  #watcher({ prefix, filter }: CacherWatchOptions, fromRevision: number): Watcher {
    return new Watcher({
      prefix,
      filter,
      fromRevision,
      capacity: this.#watcherCapacity,
      capacityBytes: this.#watcherBytes,
      fellBehind: () => {
        this.#statistics.fellBehind++;
      },
    });
  }

  #selectedObjects({ prefix, filter }: CacherWatchOptions): Iterable<StoredObject> {
    const selected = filter?.selected;
    return selected === undefined ? this.#objects.range(prefix) : this.indexed(selected, prefix);
  }

  async #build(): Promise<void> {
    const { prefix } = this.#storage;
    const revision = await this.#storage.currentRevision();
    if (this.#stop.signal.aborted) return;
    this.#reader?.close();
    this.#reader = this.#storage.openReader(revision);
    const objects = new KeptObjects(this.#reader);
    const damaged = new Set<string>();
    for (let from: string | undefined = prefix; from !== undefined; ) {
      const page = await this.#storage.page(prefix, { revision, from, limit: BUILD_PAGE }, this.#reader);
      if (this.#stop.signal.aborted) return;
      for (const object of page.items) objects.set(object);
      for (const key of page.damaged) damaged.add(key);
      const last = lastKey(page);
      from = page.more && last !== undefined ? keyAfter(last) : undefined;
      // An in-process store answers at once: without a pause, the whole build would block the event loop.
      if (from !== undefined) await nextTurn();
      if (this.#stop.signal.aborted) return;
    }
    this.#objects = objects;
    this.#damaged = damaged;
    this.#indexes.clear();
    this.#indexing.clear();
    this.#window.reset(revision);
    this.#storage.watch(
      { prefix, fromRevision: revision },
      this.#guarded({
        batch: (batch) => this.#apply(batch),
        progress: (revision) => {
          this.#failures = 0;
          this.#window.trim(this.#now());
          this.#advance(revision);
          this.#progress?.answered();
        },
        ended: (error) => this.#feedEnded(error),
      }),
      this.#stop.signal,
    );
    this.#built = true;
    void objects.prepare(this.#stop.signal);
    this.#statistics.initializations++;
    this.#advance(revision);
  }

  #guarded(sink: WatchSink): WatchSink {
    return this.#feedGate?.guard(sink) ?? sink;
  }

  #feedEnded(error: Error): void {
    if (this.#stop.signal.aborted) return;
    this.#built = false;
    this.#reader?.close();
    this.#refusedBy(error);
    this.#watchers.endAll(error instanceof StatusError ? { type: 'failed', error } : { type: 'feed-lost' });
    this.#progress?.stop();
    this.#releaseWaiters('unknown');
    this.#ready = this.#rebuild();
  }

  async #rebuild(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      // All caches lose a store at the same moment; jitter spreads their rebuilds.
      const pause = Math.min(SHORTEST_REBUILD_PAUSE_MS * 2 ** this.#failures, LONGEST_REBUILD_PAUSE_MS);
      this.#failures++;
      await new Promise((resolve) => setTimeout(resolve, pause * (0.75 + Math.random() / 2)));
      try {
        await this.#build();
        return;
      } catch (error) {
        // The store is still unavailable: the next attempt follows, and readers get 429.
        this.#refusedBy(error);
      }
    }
  }

  #refusedBy(error: unknown): void {
    this.#refusal = error instanceof StatusError ? error : undefined;
  }

  #apply(batch: EventBatch): void {
    const at = this.#now();
    this.#failures = 0;
    this.#statistics.received += batch.events.length;
    for (const event of batch.events) {
      const known = this.#objects.get(event.key);
      const change = this.#changeOf(event, batch.revision, known);
      this.#damaged.delete(event.key);
      if (change.current === undefined) this.#objects.delete(event.key);
      else this.#objects.set(change.current);
      for (const index of this.#indexes.values()) index.replace(known, change.current);
      this.#window.push(change, at);
      this.#watchers.offer(change);
    }
    this.#window.trim(at);
    this.#advance(batch.revision);
  }

  #changeOf(event: KeyEvent, revision: number, known?: StoredObject): ObjectChange {
    const current =
      event.value === undefined
        ? undefined
        : this.#storage.wrap({
            key: event.key,
            value: event.value,
            createRevision: event.createRevision,
            modRevision: revision,
            ...(event.tag === undefined ? {} : { tag: event.tag }),
          });
    const previous = known ?? (event.previous === undefined ? undefined : this.#storage.wrap(event.previous));
    return new ObjectChange(event.key, revision, current, previous);
  }

  #advance(revision: number): void {
    if (revision > this.#revision) this.#revision = revision;
    // Objects replaced up to here have already copied their bytes.
    this.#reader?.advance(revision);
    for (const waiter of this.#waiters) if (waiter.revision <= this.#revision) waiter.resolve('reached');
  }

  #releaseWaiters(freshness: Freshness): void {
    for (const waiter of this.#waiters) waiter.resolve(freshness);
  }
}

/** The last key of a page, readable or not. */
function lastKey({ items, damaged }: Pick<ObjectPage, 'items' | 'damaged'>): string | undefined {
  let last = items.at(-1)?.key;
  for (const key of damaged) if (last === undefined || compareUtf8(last, key) < 0) last = key;
  return last;
}

/** Queues the initial objects before later events; returns their number. */
function prime(watcher: Watcher, objects: Iterable<StoredObject>, filter: ObjectFilter | undefined): number {
  const initial: ObjectEvent[] = [];
  for (const object of objects) {
    if (filter === undefined || filter(object)) initial.push(new ObjectEvent('ADDED', object, false));
  }
  watcher.prime(initial);
  return initial.length;
}

/** Whether the requested revision is compacted, or its objects cannot be shown, so that the client cannot resume. */
function isGone(error: Error): boolean {
  if (error instanceof StatusError) return true;
  return error instanceof StorageError && error.code === 'expired';
}
