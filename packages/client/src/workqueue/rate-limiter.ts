import { type Clock, type RateLimit, TokenBucket } from '../clock/index.js';

/** How long a key waits that is to be worked on again. */
export interface RateLimiter<K> {
  /** Milliseconds; to be asked once for each time. */
  delay(key: K): number;
  /** The key has been worked on with success: the next delay is the first again. */
  forget(key: K): void;
  /** How often it was delayed since it was forgotten. */
  retries(key: K): number;
}

/** Each delay of a key is twice the one before. */
export class ExponentialLimiter<K> implements RateLimiter<K> {
  readonly #initial: number;
  readonly #maximum: number;
  readonly #retries = new Map<K, number>();

  /** Milliseconds. */
  constructor({ initial = 5, maximum = 1_000_000 }: { readonly initial?: number; readonly maximum?: number } = {}) {
    this.#initial = initial;
    this.#maximum = maximum;
  }

  delay(key: K): number {
    const retries = this.retries(key);
    this.#retries.set(key, retries + 1);
    return Math.min(this.#initial * 2 ** retries, this.#maximum);
  }

  forget(key: K): void {
    this.#retries.delete(key);
  }

  retries(key: K): number {
    return this.#retries.get(key) ?? 0;
  }
}

/** So many a second for all keys together. */
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

/** The longest delay of several. */
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
