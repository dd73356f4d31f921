import type { Random } from './random.js';

export interface BackoffOptions {
  /** The first delay, in milliseconds. */
  readonly initial: number;
  /** Each delay is the previous one times this factor. Default: 2. */
  readonly factor?: number;
  /** The maximum delay before jitter, in milliseconds. Default: none. */
  readonly maximum?: number;
  /** Each delay grows by a random part of itself, up to this share. Default: none, and then `random` is not needed. */
  readonly jitter?: { readonly share: number; readonly random: Random };
}

/** Exponential backoff with jitter. */
export class Backoff {
  readonly #options: BackoffOptions;
  #retries = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** The next delay, in milliseconds. */
  next(): number {
    const delay = this.delay(this.#retries);
    this.#retries++;
    return delay;
  }

  /** Starts again with the initial delay. */
  reset(): void {
    this.#retries = 0;
  }

  /** The delay after this many earlier ones, for callers that count on their own. */
  delay(retries: number): number {
    const { initial, factor = 2, maximum = Number.POSITIVE_INFINITY, jitter } = this.#options;
    const delay = Math.min(initial * factor ** retries, maximum);
    return jitter === undefined ? delay : delay * (1 + jitter.share * jitter.random.number());
  }
}
