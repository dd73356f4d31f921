import type { EventBatch, KeyEvent } from '@binnacle/kv/interface';
import type { ObjectStorage, StoredObject } from '../storage/index.js';
import { ObjectChange, ObjectEvent, type ObjectFilter } from './event.js';
import { SortedMap } from './sorted-map.js';
import { Watcher } from './watcher.js';

export interface CacherOptions {
  readonly storage: ObjectStorage;
  /** Milliseconds. */
  readonly now: () => number;
  /** Recent changes are kept this long for watches to start from... */
  readonly windowMs?: number;
  /** ...but not more than so many... */
  readonly windowSize?: number;
  /** ...nor more than so many bytes. */
  readonly windowBytes?: number;
  /** Events that may wait for one watcher... */
  readonly watcherCapacity?: number;
  /** ...and their bytes. */
  readonly watcherBytes?: number;
}

export interface CacherWatchOptions {
  readonly prefix: string;
  readonly filter: ObjectFilter | undefined;
  /** Undefined: the current objects first, as ADDED. */
  readonly fromRevision: number | undefined;
}

export interface CacherWatch {
  readonly watcher: Watcher;
  /** The revision that the watch begins after; with initial objects, the one that they are the state of. */
  readonly initialRevision: number;
  /** How many of the first events are initial objects. The first `take` answers all of them, and may answer more. */
  readonly initialCount: number;
  /** The watcher has been offered everything up to here. */
  revision(): number;
  stop(): void;
}

const WINDOW_MS = 5 * 60_000;
const WINDOW_SIZE = 4096;
const WINDOW_BYTES = 64 * 1024 * 1024;
const WATCHER_CAPACITY = 8192;
const WATCHER_BYTES = 32 * 1024 * 1024;
/** So many of the newest changes keep the encoded forms of their events. */
const RECENT_CHANGES = 128;
const REBUILD_PAUSE_MS = 250;

interface WindowEntry {
  readonly change: ObjectChange;
  /** Milliseconds. */
  readonly at: number;
}

interface Waiter {
  readonly revision: number;
  readonly resolve: (reached: boolean) => void;
}

/**
 * The current objects of one resource and its recent changes, fed by one watch of the store. All reads ask it first;
 * watches hang on it. Answers are the state at {@link revision}, never a mixture.
 *
 * It may be behind the store: {@link waitFor} waits for a revision. When its feed breaks, it ends its watchers with the
 * reason and builds itself anew. Upstream: apiserver `pkg/storage/cacher`.
 */
export class Cacher {
  readonly #storage: ObjectStorage;
  readonly #now: () => number;
  readonly #windowMs: number;
  readonly #windowSize: number;
  readonly #maximumWindowBytes: number;
  readonly #watcherCapacity: number;
  readonly #watcherBytes: number;
  readonly #objects = new SortedMap<StoredObject>();
  readonly #watchers = new Set<Watcher>();
  /** Ends the watches that read the store's history. */
  readonly #historyWatches = new Set<() => void>();
  readonly #stop = new AbortController();
  #waiters: Waiter[] = [];
  #window: WindowEntry[] = [];
  #windowBytes = 0;
  /** Changes after this revision are in the window. */
  #windowStart = 0;
  #revision = 0;
  #ready: Promise<void> | undefined;
  #built = false;

  constructor(options: CacherOptions) {
    this.#storage = options.storage;
    this.#now = options.now;
    this.#windowMs = options.windowMs ?? WINDOW_MS;
    this.#windowSize = options.windowSize ?? WINDOW_SIZE;
    this.#maximumWindowBytes = options.windowBytes ?? WINDOW_BYTES;
    this.#watcherCapacity = options.watcherCapacity ?? WATCHER_CAPACITY;
    this.#watcherBytes = options.watcherBytes ?? WATCHER_BYTES;
  }

  /** Everything in the store up to this revision is in here. */
  get revision(): number {
    return this.#revision;
  }

  get built(): boolean {
    return this.#built;
  }

  get size(): number {
    return this.#objects.size;
  }

  /** Begins to build on first call; settles when the cache can answer, or is stopped. Never rejects. */
  ready(): Promise<void> {
    this.#ready ??= this.#build().catch(() => this.#rebuild());
    return this.#ready;
  }

  /** Ends the feed and all watchers. */
  stop(): void {
    this.#stop.abort();
    this.#endWatchers({ type: 'stopped' });
    for (const end of this.#historyWatches) end();
    for (const waiter of this.#waiters) waiter.resolve(false);
    this.#waiters = [];
  }

  get(key: string): StoredObject | undefined {
    return this.#objects.get(key);
  }

  /** Objects under `prefix` in key order, from key `from` on. Consume it before anything is awaited. */
  range(prefix: string, from?: string): Iterable<StoredObject> {
    return this.#objects.range(prefix, from);
  }

  /** How many objects {@link range} would yield. */
  count(prefix: string, from?: string): number {
    return this.#objects.count(prefix, from);
  }

  /** Whether nothing of this resource has changed after `revision`, so that the cache is also the state at it. */
  unchangedSince(revision: number): boolean {
    if (revision < this.#windowStart) return false;
    const newest = this.#window.at(-1);
    return newest === undefined || newest.change.revision <= revision;
  }

  /** Waits until the cache has reached `revision`; false after `timeoutMs`. */
  waitFor(revision: number, timeoutMs: number): boolean | Promise<boolean> {
    if (this.#revision >= revision) return true;
    if (this.#stop.signal.aborted) return false;
    return new Promise((resolve) => {
      const timer = setTimeout(() => waiter.resolve(false), timeoutMs);
      const waiter: Waiter = {
        revision,
        resolve: (reached) => {
          clearTimeout(timer);
          this.#waiters = this.#waiters.filter((other) => other !== waiter);
          resolve(reached);
        },
      };
      this.#waiters.push(waiter);
    });
  }

  /**
   * Opens a watch on the state as of now: every change after `fromRevision`, in order, each once. Changes older than
   * the window come from the store's history; when that is compacted, the watcher ends with StorageError `expired`.
   */
  watch(options: CacherWatchOptions): CacherWatch {
    const { prefix, filter, fromRevision } = options;
    const initialRevision = fromRevision ?? this.#revision;
    const watcher = new Watcher({
      prefix,
      filter,
      fromRevision: initialRevision,
      capacity: this.#watcherCapacity,
      capacityBytes: this.#watcherBytes,
    });
    if (this.#stop.signal.aborted) watcher.end({ type: 'stopped' });
    else if (initialRevision < this.#windowStart) return this.#watchHistory(watcher, prefix, initialRevision);
    let initialCount = 0;
    if (fromRevision === undefined) {
      const initial: ObjectEvent[] = [];
      for (const object of this.#objects.range(prefix)) {
        if (filter === undefined || filter(object)) initial.push(new ObjectEvent('ADDED', object, false));
      }
      initialCount = initial.length;
      watcher.prime(initial);
    } else {
      this.#replayWindow(watcher, fromRevision);
    }
    this.#watchers.add(watcher);
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

  #replayWindow(watcher: Watcher, fromRevision: number): void {
    let start = this.#window.length;
    while (start > 0 && (this.#window[start - 1]?.change.revision ?? 0) > fromRevision) start--;
    for (let index = start; index < this.#window.length; index++) {
      const entry = this.#window[index];
      if (entry !== undefined) watcher.offer(entry.change);
    }
  }

  /** A watch that starts before the window reads the store's own history, and goes on with it. */
  #watchHistory(watcher: Watcher, prefix: string, fromRevision: number): CacherWatch {
    let position = fromRevision;
    const feed = new AbortController();
    const stop = (): void => {
      this.#historyWatches.delete(stop);
      feed.abort();
      watcher.end({ type: 'stopped' });
    };
    this.#historyWatches.add(stop);
    this.#storage.watch(
      { prefix, fromRevision },
      {
        batch: (batch) => {
          for (const event of batch.events) watcher.offer(this.#changeOf(event, batch.revision));
          position = batch.revision;
        },
        progress: (revision) => {
          position = revision;
        },
        ended: (error) => watcher.end({ type: 'failed', error }),
      },
      feed.signal,
    );
    return { watcher, initialRevision: fromRevision, initialCount: 0, revision: () => position, stop };
  }

  async #build(): Promise<void> {
    const page = await this.#storage.list(this.#storage.prefix, {});
    this.#objects.clear();
    for (const object of page.items) this.#objects.set(object.key, object);
    this.#window = [];
    this.#windowBytes = 0;
    this.#windowStart = page.revision;
    this.#storage.watch(
      { prefix: this.#storage.prefix, fromRevision: page.revision },
      {
        batch: (batch) => this.#apply(batch),
        progress: (revision) => {
          this.#trim(this.#now());
          this.#advance(revision);
        },
        ended: (error) => this.#feedEnded(error),
      },
      this.#stop.signal,
    );
    this.#built = true;
    this.#advance(page.revision);
  }

  #feedEnded(error: Error): void {
    if (this.#stop.signal.aborted) return;
    this.#built = false;
    this.#endWatchers({ type: 'failed', error });
    this.#ready = this.#rebuild();
  }

  async #rebuild(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, REBUILD_PAUSE_MS));
      try {
        await this.#build();
        return;
      } catch {
        // The store is still away: the next round tries again, and readers keep waiting or time out.
      }
    }
  }

  #endWatchers(reason: Parameters<Watcher['end']>[0]): void {
    for (const watcher of this.#watchers) watcher.end(reason);
    this.#watchers.clear();
  }

  #apply(batch: EventBatch): void {
    const at = this.#now();
    for (const event of batch.events) {
      const known = this.#objects.get(event.key);
      const change = this.#changeOf(event, batch.revision, known);
      if (change.current === undefined) this.#objects.delete(event.key);
      else this.#objects.set(event.key, change.current);
      this.#window.push({ change, at });
      this.#windowBytes += sizeOf(change);
      this.#window.at(-1 - RECENT_CHANGES)?.change.settle();
      for (const watcher of this.#watchers) {
        watcher.offer(change);
        if (watcher.ended !== undefined) this.#watchers.delete(watcher);
      }
    }
    this.#trim(at);
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
          });
    const previous = known ?? (event.previous === undefined ? undefined : this.#storage.wrap(event.previous));
    return new ObjectChange(event.key, revision, current, previous);
  }

  /** Drops what is too old or too much, in slices, so that the common event pays nothing. Never splits a revision. */
  #trim(now: number): void {
    const oldest = this.#window[0];
    if (oldest === undefined) return;
    const fits =
      this.#window.length <= this.#windowSize * 1.125 && this.#windowBytes <= this.#maximumWindowBytes * 1.125;
    if (fits && now - oldest.at <= this.#windowMs * 1.25) return;
    let drop = 0;
    for (let entry = this.#window[drop]; entry !== undefined; entry = this.#window[drop]) {
      const tooMuch = this.#window.length - drop > this.#windowSize || this.#windowBytes > this.#maximumWindowBytes;
      const begun = entry.change.revision === this.#windowStart;
      if (!tooMuch && !begun && now - entry.at <= this.#windowMs) break;
      this.#windowStart = entry.change.revision;
      this.#windowBytes -= sizeOf(entry.change);
      drop++;
    }
    this.#window.splice(0, drop);
  }

  #advance(revision: number): void {
    if (revision > this.#revision) this.#revision = revision;
    if (this.#waiters.length === 0) return;
    for (const waiter of this.#waiters) if (waiter.revision <= this.#revision) waiter.resolve(true);
  }
}

function sizeOf(change: ObjectChange): number {
  return change.current?.size ?? 0;
}
