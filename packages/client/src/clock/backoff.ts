export interface BackoffOptions {
  /** The first delay, milliseconds. */
  readonly initial: number;
  /** What each delay is multiplied by to give the next. */
  readonly factor: number;
  /** No delay is longer than this before jitter, milliseconds. Default: no bound. */
  readonly maximum?: number;
  /** Each delay is lengthened by up to this share of itself. */
  readonly jitter: number;
  /** From 0 to below 1. Default: Math.random. */
  readonly random?: () => number;
}

/** Delays that grow. */
export class Backoff {
  readonly #options: BackoffOptions;
  #delay: number;

  constructor(options: BackoffOptions) {
    this.#options = options;
    this.#delay = options.initial;
  }

  /** Milliseconds to wait now. */
  next(): number {
    const { factor, maximum = Number.POSITIVE_INFINITY, jitter, random = Math.random } = this.#options;
    const delay = Math.min(this.#delay, maximum);
    this.#delay = Math.min(delay * factor, maximum);
    return delay * (1 + jitter * random());
  }

  /** The next delay is the first one again. */
  reset(): void {
    this.#delay = this.#options.initial;
  }
}
