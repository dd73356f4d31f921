import type { Clock } from './clock.js';
import { sleep } from './sleep.js';

export interface RateLimit {
  /** Average rate a second. */
  readonly qps: number;
  /** Maximum number at once after a pause. */
  readonly burst: number;
}

/** A token bucket that serves callers in order. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #limit: RateLimit;
  /** Negative while callers wait for that many tokens. */
  #tokens: number;
  #countedAt: number;

  constructor(limit: RateLimit, clock: Clock) {
    if (!(limit.qps > 0) || !(limit.burst >= 1)) throw new RangeError('qps must be above 0 and burst at least 1');
    this.#clock = clock;
    this.#limit = limit;
    this.#tokens = limit.burst;
    this.#countedAt = clock.monotonic();
  }

  /** Takes a token and returns the milliseconds until it is due. */
  reserve(): number {
    this.#refill();
    this.#tokens--;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#limit.qps) * 1000;
  }

  /** Resolves when the caller has a token. If the signal fires first, the token is returned. */
  async take(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const wait = this.reserve();
    if (wait === 0) return;
    try {
      await sleep(this.#clock, wait, signal);
    } catch (error) {
      this.#tokens++;
      throw error;
    }
  }

  /** Takes a token if one is available. Does not wait. */
  tryTake(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  #refill(): void {
    const now = this.#clock.monotonic();
    const elapsed = Math.max(0, now - this.#countedAt);
    this.#tokens = Math.min(this.#limit.burst, this.#tokens + (elapsed / 1000) * this.#limit.qps);
    this.#countedAt = now;
  }
}
