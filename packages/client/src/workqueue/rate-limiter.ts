import { Backoff, type Clock, type RateLimit, TokenBucket } from '@binnacle/apimachinery/clock';

/** Determines how long a key waits before a retry. */
export interface RateLimiter<K> {
  /** Milliseconds until the retry. Call it once for each retry. */
  delay(key: K): number;
  /** The key has succeeded: its next delay is the initial one. */
  forget(key: K): void;
  /** The number of delays since the last `forget`. */
  retries(key: K): number;
}

/** Doubles the delay of a key with each retry. */
export class ExponentialLimiter<K> implements RateLimiter<K> {
  readonly #backoff: Backoff;
  readonly #retries = new Map<K, number>();

  /** Milliseconds. */
  constructor({ initial = 5, maximum = 1_000_000 }: { readonly initial?: number; readonly maximum?: number } = {}) {
    this.#backoff = new Backoff({ initial, maximum });
  }

  delay(key: K): number {
    const retries = this.retries(key);
    this.#retries.set(key, retries + 1);
    return this.#backoff.delay(retries);
  }

  forget(key: K): void {
    this.#retries.delete(key);
  }

  retries(key: K): number {
    return this.#retries.get(key) ?? 0;
  }
}

/** Limits the rate of all keys together. */
export class BucketLimiter<K> implements RateLimiter<K> {
  readonly #bucket: TokenBucket;

  constructor(limit: RateLimit, clock: Clock) {
    this.#bucket = new TokenBucket(limit, clock);
  }

  delay(_key: K): number {
    return this.#bucket.reserve();
  }

  forget(_key: K): void {}

  retries(_key: K): number {
    return 0;
  }
}

/** The maximum delay of several limiters. */
export class MaxOfLimiter<K> implements RateLimiter<K> {
  readonly #limiters: readonly RateLimiter<K>[];

  constructor(limiters: readonly RateLimiter<K>[]) {
    this.#limiters = limiters;
  }

  delay(key: K): number {
    return Math.max(0, ...this.#limiters.map((limiter) => limiter.delay(key)));
  }

  forget(key: K): void {
    for (const limiter of this.#limiters) limiter.forget(key);
  }

  retries(key: K): number {
    return Math.max(0, ...this.#limiters.map((limiter) => limiter.retries(key)));
  }
}

/** Upstream: `DefaultTypedControllerRateLimiter`. */
export function defaultLimiter<K>(clock: Clock): RateLimiter<K> {
  return new MaxOfLimiter<K>([new ExponentialLimiter<K>(), new BucketLimiter<K>({ qps: 10, burst: 100 }, clock)]);
}
