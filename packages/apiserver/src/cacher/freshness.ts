import type { Clock } from '@binnacle/apimachinery/clock';
import type { ObjectStorage } from '../storage/index.js';
import { ProgressRequests } from './progress-requests.js';

/**
 * - `reached`: the cache has the revision
 * - `late`: the cache has not reached it in time
 * - `unknown`: a remote store has not confirmed it; a reader that must not be stale reads the store
 */
export type Freshness = 'reached' | 'late' | 'unknown';

export interface FreshnessOptions {
  readonly storage: Pick<ObjectStorage, 'isRemote' | 'requestProgress'>;
  /** The revision that the cache has reached. */
  readonly revision: () => number;
  /** Whether the feed is being held back. */
  readonly isHeld: () => boolean;
  /** Called with the milliseconds that a read has waited. */
  readonly waited: ((milliseconds: number) => void) | undefined;
  readonly clock: Clock;
}

interface Waiter {
  readonly revision: number;
  readonly resolve: (freshness: Freshness) => void;
}

/**
 * Reads that wait until the cache has a revision. An in-process store delivers every revision unasked; a remote one
 * is asked for progress while any read waits.
 */
export class FreshnessWaiters {
  readonly #options: FreshnessOptions;
  readonly #waiters = new Set<Waiter>();
  readonly #progress: ProgressRequests | undefined;
  #stopped = false;

  constructor(options: FreshnessOptions) {
    const { storage, clock } = options;
    this.#options = options;
    this.#progress = storage.isRemote
      ? new ProgressRequests({
          ask: () => storage.requestProgress(),
          isWanted: () => this.#waiters.size > 0,
          refused: () => this.#release('unknown'),
          clock,
        })
      : undefined;
  }

  /** Waits until the cache has reached `revision`. Returns `late` after `timeoutMs`, or when the cache stops. */
  waitFor(revision: number, timeoutMs: number): Freshness | Promise<Freshness> {
    if (this.#options.revision() >= revision) {
      this.#options.waited?.(0);
      return 'reached';
    }
    if (this.#stopped) return 'late';
    if (this.#options.isHeld()) return 'unknown';
    const { clock } = this.#options;
    const start = clock.monotonic();
    return new Promise((resolve) => {
      const timer = clock.setTimer(() => waiter.resolve('late'), timeoutMs);
      const waiter: Waiter = {
        revision,
        resolve: (freshness) => {
          timer[Symbol.dispose]();
          this.#waiters.delete(waiter);
          this.#options.waited?.(clock.monotonic() - start);
          resolve(freshness);
        },
      };
      this.#waiters.add(waiter);
      if (this.#progress?.begin() === false) waiter.resolve('unknown');
    });
  }

  /** The cache has reached a revision. */
  reached(): void {
    if (this.#waiters.size === 0) return;
    const revision = this.#options.revision();
    for (const waiter of this.#waiters) if (waiter.revision <= revision) waiter.resolve('reached');
  }

  /** The store has reported its progress. */
  answered(): void {
    this.#progress?.answered();
  }

  /** The feed is lost, so the cache cannot confirm a revision. */
  lost(): void {
    this.#progress?.stop();
    this.#release('unknown');
  }

  stop(): void {
    this.#stopped = true;
    this.#progress?.stop();
    this.#release('late');
  }

  #release(freshness: Freshness): void {
    for (const waiter of this.#waiters) waiter.resolve(freshness);
  }
}
