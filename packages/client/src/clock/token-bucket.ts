import type { Clock } from './clock.js';
import { sleep } from './sleep.js';

export interface RateLimit {
  /** How many a second in the long run. */
  readonly qps: number;
  /** How many at once after a pause. */
  readonly burst: number;
}

/** Hands out turns in the order in which they were asked for. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #limit: RateLimit;
  /** Below zero: so many turns are promised, and wait. */
  #tokens: number;
  #countedAt: number;

  constructor(limit: RateLimit, clock: Clock) {
    if (!(limit.qps > 0) || !(limit.burst >= 1)) throw new RangeError('qps must be above 0, and burst 1 or more');
    this.#clock = clock;
    this.#limit = limit;
    this.#tokens = limit.burst;
    this.#countedAt = clock.now();
  }

  /** Milliseconds until the next turn, which is the caller's. */
  reserve(): number {
    this.#refill();
    this.#tokens--;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#limit.qps) * 1000;
  }

  /** Resolves when it is one's turn. When the signal fires first, the turn is given back. */
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

  /** Whether there is a turn now; if so it is taken. Waits for none. */
  tryTake(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  #refill(): void {
    const now = this.#clock.now();
    const elapsed = Math.max(0, now - this.#countedAt);
    this.#tokens = Math.min(this.#limit.burst, this.#tokens + (elapsed / 1000) * this.#limit.qps);
    this.#countedAt = now;
  }
}
