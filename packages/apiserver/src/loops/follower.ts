import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, sleep } from '@binnacle/apimachinery/clock';
import { StatusError } from '@binnacle/apimachinery/status';
import type { CacherWatch, EventSequence } from '../cacher/index.js';
import type { ResourceReader } from '../registry/index.js';
import { NEWEST } from '../request/index.js';
import { StorageError, type StoredObject } from '../storage/index.js';

/** The delay before a lost watch is reopened. */
const RETRY_MS = 500;
/** How often a start asks a cache that is being built. */
const START_ATTEMPTS = 20;

export interface FollowerOptions {
  readonly reader: Pick<ResourceReader, 'watch' | 'watchReadable'>;
  readonly clock: Clock;
  /**
   * Called for each object that exists at the start, and for each change: with undefined when it is gone. Objects that
   * cannot be read are left out.
   */
  readonly changed: (key: string, object: StoredObject | undefined) => void;
  /** Settles when changes can be reported; changes wait for it. */
  readonly prepare?: () => Promise<unknown>;
  readonly report: (error: unknown) => void;
}

/** Follows the objects of a resource. After a lost watch it reports what has changed meanwhile. */
export class Follower {
  readonly #options: FollowerOptions;
  /** The revision of each object that exists. */
  readonly #known = new Map<string, number>();
  readonly #damaged = new Set<string>();
  readonly #stopped = new AbortController();
  #watch: CacherWatch | undefined;
  #reporting: Promise<void> = Promise.resolve();

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** The keys of objects that the store could not read when the watch was opened. They exist. */
  get damaged(): ReadonlySet<string> {
    return this.#damaged;
  }

  /** Settles when the objects that exist have been reported. Rejects when the cache is not built within ten seconds. */
  async start(): Promise<void> {
    void this.#follow(await this.#firstOpen());
  }

  /** Settles when all changes that the cache has now have been reported. */
  async caughtUp(): Promise<void> {
    while (this.#watch?.watcher.idle === false) await nextTurn();
    await this.#reporting;
  }

  stop(): void {
    this.#stopped.abort();
    this.#watch?.stop();
  }

  /** A remote store may compact between the cache's list and its watch; the cache then begins again. */
  async #firstOpen(): Promise<CacherWatch> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#open();
      } catch (error) {
        if (attempt === START_ATTEMPTS || !isBuilding(error)) throw error;
      }
      await sleep(this.#options.clock, RETRY_MS, this.#stopped.signal);
    }
  }

  async #open(): Promise<CacherWatch> {
    const { watch, damaged } = await this.#watchStored();
    this.#watch = watch;
    if (this.#stopped.signal.aborted) watch.stop();
    const events = watch.watcher.take();
    await this.#prepareFor(events);
    const present = new Set(damaged);
    for (const { key } of events.initial) present.add(key);
    for (const key of [...this.#known.keys(), ...this.#damaged]) if (!present.has(key)) this.#forget(key);
    for (const key of damaged) this.#damaged.add(key);
    this.#apply(events);
    return watch;
  }

  async #watchStored(): Promise<{ watch: CacherWatch; damaged: readonly string[] }> {
    const { reader } = this.#options;
    try {
      return { watch: await reader.watch({ namespace: '', filter: undefined }, NEWEST, true), damaged: [] };
    } catch (error) {
      if (error instanceof StorageError && error.code === 'damaged') return reader.watchReadable();
      throw error;
    }
  }

  async #report(events: EventSequence): Promise<void> {
    await this.#prepareFor(events);
    this.#apply(events);
  }

  async #prepareFor(events: EventSequence): Promise<void> {
    if (events.length > 0) await this.#options.prepare?.();
  }

  async #follow(opened: CacherWatch): Promise<void> {
    let watch = opened;
    while (!this.#stopped.signal.aborted) {
      await watch.watcher.wait();
      this.#reporting = this.#report(watch.watcher.take());
      await this.#reporting;
      if (watch.watcher.ended === undefined || this.#stopped.signal.aborted) continue;
      watch = (await this.#reopen()) ?? watch;
    }
  }

  async #reopen(): Promise<CacherWatch | undefined> {
    try {
      await sleep(this.#options.clock, RETRY_MS, this.#stopped.signal);
      return await this.#open();
    } catch (error) {
      if (!this.#stopped.signal.aborted) this.#options.report(error);
      return undefined;
    }
  }

  #apply(events: EventSequence): void {
    for (const { type, object } of events) {
      if (type === 'DELETED') {
        this.#forget(object.key);
        continue;
      }
      this.#damaged.delete(object.key);
      if (this.#known.get(object.key) !== object.revision) {
        this.#known.set(object.key, object.revision);
        this.#options.changed(object.key, object);
      }
    }
  }

  #forget(key: string): void {
    const wasDamaged = this.#damaged.delete(key);
    if (this.#known.delete(key) || wasDamaged) this.#options.changed(key, undefined);
  }
}

function isBuilding(error: unknown): boolean {
  return error instanceof StatusError && error.code === 429;
}
