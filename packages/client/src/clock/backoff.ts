export interface BackoffOptions {
  /** The first delay, milliseconds. */
  readonly initial: number;
  /** Each delay is the previous one times this factor. */
  readonly factor: number;
  /** The maximum delay before jitter, milliseconds. Default: none. */
  readonly maximum?: number;
  /** Each delay grows by a random part of itself, up to this share. */
  readonly jitter: number;
  /** From 0 to below 1. Default: Math.random. */
  readonly random?: () => number;
}

/** Exponential backoff with jitter. */
export class Backoff {
  readonly #options: BackoffOptions;
  #delay: number;

  constructor(options: BackoffOptions) {
    this.#options = options;
    this.#delay = options.initial;
  }

  /** The next delay, milliseconds. */
  next(): number {
    const { factor, maximum = Number.POSITIVE_INFINITY, jitter, random = Math.random } = this.#options;
    const delay = Math.min(this.#delay, maximum);
    this.#delay = Math.min(delay * factor, maximum);
    return delay * (1 + jitter * random());
  }

  /** Starts again with the initial delay. */
  reset(): void {
    this.#delay = this.#options.initial;
  }
}
