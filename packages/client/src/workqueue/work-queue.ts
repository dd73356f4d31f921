import { abortable, type Clock, reasonOf, systemClock } from '@binnacle/apimachinery/clock';
import { DelayedKeys } from './delayed-keys.js';
import { defaultLimiter, type RateLimiter } from './rate-limiter.js';
import { ReadyKeys } from './ready-keys.js';

/** Receives what metrics count. Durations are milliseconds. */
export interface WorkQueueObserver {
  /** A new key was added; `depth` keys wait now. */
  added?(depth: number): void;
  /** A worker has taken a key. */
  started?(waited: number, depth: number): void;
  /** A worker is done with a key. */
  finished?(worked: number): void;
  /** A key was added with a delay. */
  retried?(): void;
}

export interface WorkQueueOptions<K> {
  readonly rateLimiter?: RateLimiter<K> | undefined;
  readonly observer?: WorkQueueObserver | undefined;
  readonly clock?: Clock;
}

export interface AddOptions {
  /** Keys of higher priority come first. Default: 0. */
  readonly priority?: number;
}

interface Waiter<K> {
  resolve(key: K | undefined): void;
}

/** A queue of unique keys with priorities, delays and rate limits. The README has the guarantees. */
export class WorkQueue<K> {
  readonly #clock: Clock;
  readonly #limiter: RateLimiter<K>;
  readonly #observer: WorkQueueObserver;
  readonly #ready = new ReadyKeys<K>();
  readonly #addedAt = new Map<K, number>();
  readonly #delayed: DelayedKeys<K>;
  /** When a worker took each key. */
  readonly #working = new Map<K, number>();
  /** Keys added while a worker has them, with their priorities. */
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

  /** The number of keys that wait for a worker. Delayed keys do not count. */
  get length(): number {
    return this.#ready.size;
  }

  /** The keys that workers have, with the sum and the maximum of their ages, in milliseconds. The ages grow if a worker hangs. */
  get unfinished(): { readonly keys: number; readonly total: number; readonly longest: number } {
    const now = this.#clock.monotonic();
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

  /** Adds the key after a delay. If the key is delayed already, the earlier time counts. */
  addAfter(key: K, milliseconds: number, options: AddOptions = {}): void {
    if (this.#isShuttingDown) return;
    this.#observer.retried?.();
    if (milliseconds <= 0) this.add(key, options);
    else this.#delayed.add(key, milliseconds, options.priority ?? 0);
  }

  /** Adds the key after the delay of the rate limiter. */
  addRateLimited(key: K, options: AddOptions = {}): void {
    if (this.#isShuttingDown) return;
    this.addAfter(key, this.#limiter.delay(key), options);
  }

  /** Resets the rate limit of the key. */
  forget(key: K): void {
    this.#limiter.forget(key);
  }

  /** The number of rate-limited adds since the last `forget`. */
  retries(key: K): number {
    return this.#limiter.retries(key);
  }

  /**
   * Waits for the next key, which no other worker gets until {@link done}. Resolves to undefined when the queue is shut down and empty. Rejects
   * with the signal's reason.
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

  /** The worker is done with the key, which may be handed out again. */
  done(key: K): void {
    const since = this.#working.get(key);
    if (since === undefined) return;
    this.#working.delete(key);
    this.#observer.finished?.(this.#clock.monotonic() - since);
    const priority = this.#again.get(key);
    this.#again.delete(key);
    if (priority !== undefined) this.#enqueue(key, priority);
    this.#checkDrained();
  }

  /** Stops adds and drops delayed keys. Waiting keys are still handed out. */
  shutDown(): void {
    this.#isShuttingDown = true;
    this.#delayed.clear();
    for (const waiter of this.#waiters) waiter.resolve(undefined);
    this.#checkDrained();
  }

  /** Shuts down, and resolves when workers are done with all keys. Rejects with the signal's reason. */
  drain(signal?: AbortSignal): Promise<void> {
    const drained = new Promise<void>((resolve) => this.#drained.add(resolve));
    this.shutDown();
    return abortable(drained, signal);
  }

  #enqueue(key: K, priority: number): void {
    if (this.#ready.add(key, priority)) {
      this.#addedAt.set(key, this.#clock.monotonic());
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
    const now = this.#clock.monotonic();
    const waited = now - (this.#addedAt.get(taken.key) ?? now);
    this.#addedAt.delete(taken.key);
    this.#working.set(taken.key, now);
    this.#observer.started?.(waited, this.#ready.size);
    return taken;
  }

  #checkDrained(): void {
    if (!this.#isShuttingDown || this.#working.size > 0 || this.#ready.size > 0) return;
    for (const finish of this.#drained) finish();
    this.#drained.clear();
  }
}
