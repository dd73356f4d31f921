import { type Clock, sleep } from '@binnacle/apimachinery/clock';
import type { CacherWatch, ObjectEvent } from '../cacher/index.js';
import type { ResourceReader } from '../registry/index.js';
import { NEWEST } from '../request/index.js';
import { StorageError, type StoredObject } from '../storage/index.js';

/** The delay before a lost watch is reopened. */
const RETRY_MS = 500;

export interface FollowerOptions {
  readonly reader: Pick<ResourceReader, 'watch' | 'watchReadable'>;
  readonly clock: Clock;
  /**
   * Called for each object that exists at the start, and for each change: with undefined when it is gone. Objects that
   * cannot be read are left out.
   */
  readonly changed: (key: string, object: StoredObject | undefined) => void;
  readonly report: (error: unknown) => void;
}

/** Follows the objects of a resource. After a lost watch it reports what has changed meanwhile. */
export class Follower {
  readonly #options: FollowerOptions;
  /** The revision of each object that exists. */
  readonly #known = new Map<string, number>();
  readonly #stopped = new AbortController();
  #watch: CacherWatch | undefined;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Settles when the objects that exist have been reported. */
  async start(): Promise<void> {
    void this.#follow(await this.#open());
  }

  stop(): void {
    this.#stopped.abort();
    this.#watch?.stop();
  }

  async #open(): Promise<CacherWatch> {
    const watch = await this.#watchStored();
    this.#watch = watch;
    if (this.#stopped.signal.aborted) watch.stop();
    const events = watch.watcher.take();
    const present = new Set(events.slice(0, watch.initialCount).map(({ object }) => object.key));
    for (const key of this.#known.keys()) if (!present.has(key)) this.#forget(key);
    this.#apply(events);
    return watch;
  }

  async #watchStored(): Promise<CacherWatch> {
    const { reader } = this.#options;
    try {
      return await reader.watch({ namespace: '', filter: undefined }, NEWEST, true);
    } catch (error) {
      if (error instanceof StorageError && error.code === 'damaged') return (await reader.watchReadable()).watch;
      throw error;
    }
  }

  async #follow(opened: CacherWatch): Promise<void> {
    let watch = opened;
    while (!this.#stopped.signal.aborted) {
      await watch.watcher.wait();
      this.#apply(watch.watcher.take());
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

  #apply(events: readonly ObjectEvent[]): void {
    for (const { type, object } of events) {
      if (type === 'DELETED') this.#forget(object.key);
      else if (this.#known.get(object.key) !== object.revision) {
        this.#known.set(object.key, object.revision);
        this.#options.changed(object.key, object);
      }
    }
  }

  #forget(key: string): void {
    if (this.#known.delete(key)) this.#options.changed(key, undefined);
  }
}
