import { abortable, type Clock, reasonOf, systemClock } from '../clock/index.js';
import { DelayedKeys } from './delayed-keys.js';
import { defaultLimiter, type RateLimiter } from './rate-limiter.js';
import { ReadyKeys } from './ready-keys.js';

/** What metrics are made of. Durations are milliseconds. */
export interface WorkQueueObserver {
  /** A key that was not there was added; so many are. */
  added?(depth: number): void;
  /** A key has waited so long, and is being worked on. */
  started?(waited: number, depth: number): void;
  /** It was worked on for so long. */
  finished?(worked: number): void;
  /** A key was added for later. */
  retried?(): void;
}

export interface WorkQueueOptions<K> {
  readonly rateLimiter?: RateLimiter<K> | undefined;
  readonly observer?: WorkQueueObserver | undefined;
  readonly clock?: Clock;
}

export interface AddOptions {
  /** Higher ones come first. Default: 0. */
  readonly priority?: number;
}

interface Waiter<K> {
  resolve(key: K | undefined): void;
}

/** Keys to work on. See the README for what it promises. */
export class WorkQueue<K> {
  readonly #clock: Clock;
  readonly #limiter: RateLimiter<K>;
  readonly #observer: WorkQueueObserver;
  readonly #ready = new ReadyKeys<K>();
  readonly #addedAt = new Map<K, number>();
  readonly #delayed: DelayedKeys<K>;
  /** Since when each is worked on. */
  readonly #working = new Map<K, number>();
  /** Added while worked on, with their priorities. */
  readonly #again = new Map<K, number>();
  readonly #waiters = new Set<Waiter<K>>();
  readonly #drained = new Set<() => void>();
  #isShuttingDown = false;

  constructor(options: WorkQueueOptions<K> = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#limiter = options.rateLimiter ?? defaultLimiter<K>(this.#clock);
    this.#observer = options.observer ?? {};
    this.#delayed = new DelayedKeys(this.#clock, (key, priority) => this.add(key, { priority }));
  }

  /** How many wait for a worker; those with a delay before them do not count. */
  get length(): number {
    return this.#ready.size;
  }

  /** What is being worked on: so many keys, for so long all together, and the longest; milliseconds. It grows where a worker hangs. */
  get unfinished(): { readonly keys: number; readonly total: number; readonly longest: number } {
    const now = this.#clock.now();
    const ages = [...this.#working.values()].map((since) => now - since);
    return {
      keys: ages.length,
      total: ages.reduce((sum, age) => sum + age, 0),
      longest: ages.reduce((longest, age) => Math.max(longest, age), 0),
    };
  }

  get isShuttingDown(): boolean {
    return this.#isShuttingDown;
  }

  add(key: K, { priority: wanted = 0 }: AddOptions = {}): void {
    if (this.#isShuttingDown) return;
    const priority = Math.max(wanted, this.#delayed.take(key) ?? wanted);
    if (this.#working.has(key)) {
      this.#again.set(key, Math.max(priority, this.#again.get(key) ?? priority));
    } else {
      this.#enqueue(key, priority);
    }
  }

  /** Adds the key in so many milliseconds, or when it was to be added anyway if that is sooner. */
  addAfter(key: K, milliseconds: number, options: AddOptions = {}): void {
    if (this.#isShuttingDown) return;
    this.#observer.retried?.();
    if (milliseconds <= 0) this.add(key, options);
    else this.#delayed.add(key, milliseconds, options.priority ?? 0);
  }

  /** Adds the key when its rate limit lets it. */
  addRateLimited(key: K, options: AddOptions = {}): void {
    if (this.#isShuttingDown) return;
    this.addAfter(key, this.#limiter.delay(key), options);
  }

  /** The rate limit starts over for this key. */
  forget(key: K): void {
    this.#limiter.forget(key);
  }

  /** How often the key was rate-limited since it was forgotten. */
  retries(key: K): number {
    return this.#limiter.retries(key);
  }

  /**
   * The next key, when there is one; it is the caller's until {@link done}. Undefined when the queue is shut down and empty. Rejects with the
   * signal's reason.
   */
  get(signal?: AbortSignal): Promise<K | undefined> {
    if (signal?.aborted === true) return Promise.reject(reasonOf(signal));
    const taken = this.#take();
    if (taken !== undefined) return Promise.resolve(taken.key);
    if (this.#isShuttingDown) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const waiter = {
        resolve: (key: K | undefined) => {
          this.#waiters.delete(waiter);
          signal?.removeEventListener('abort', abort);
          resolve(key);
        },
      };
      const abort = () => {
        this.#waiters.delete(waiter);
        if (signal !== undefined) reject(reasonOf(signal));
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiters.add(waiter);
    });
  }

  /** The worker is done with a key that it was given. */
  done(key: K): void {
    const since = this.#working.get(key);
    if (since === undefined) return;
    this.#working.delete(key);
    this.#observer.finished?.(this.#clock.now() - since);
    const priority = this.#again.get(key);
    this.#again.delete(key);
    if (priority !== undefined) this.#enqueue(key, priority);
    this.#noticeDrained();
  }

  /** Nothing is added from now on. What is there is handed out; what is delayed is not. */
  shutDown(): void {
    this.#isShuttingDown = true;
    this.#delayed.clear();
    for (const waiter of this.#waiters) waiter.resolve(undefined);
    this.#noticeDrained();
  }

  /** Shuts down, and resolves when all that is there has been worked on. Rejects with the signal's reason. */
  drain(signal?: AbortSignal): Promise<void> {
    const drained = new Promise<void>((resolve) => this.#drained.add(resolve));
    this.shutDown();
    return abortable(drained, signal);
  }

  #enqueue(key: K, priority: number): void {
    if (this.#ready.add(key, priority)) {
      this.#addedAt.set(key, this.#clock.now());
      this.#observer.added?.(this.#ready.size);
    }
    const [waiter] = this.#waiters;
    if (waiter === undefined) return;
    const taken = this.#take();
    if (taken !== undefined) waiter.resolve(taken.key);
  }

  #take(): { readonly key: K } | undefined {
    const taken = this.#ready.take();
    if (taken === undefined) return undefined;
    const now = this.#clock.now();
    const waited = now - (this.#addedAt.get(taken.key) ?? now);
    this.#addedAt.delete(taken.key);
    this.#working.set(taken.key, now);
    this.#observer.started?.(waited, this.#ready.size);
    return taken;
  }

  #noticeDrained(): void {
    if (!this.#isShuttingDown || this.#working.size > 0 || this.#ready.size > 0) return;
    for (const finish of this.#drained) finish();
    this.#drained.clear();
  }
}
