import type { Clock } from '@binnacle/apimachinery/clock';

/** This candidate no longer leads. Another one may. */
export class LeadershipLostError extends Error {
  override readonly name = 'LeadershipLostError';
}

/**
 * The time for which a leader leads. Each successful renewal extends it, counted from when the renewal was sent, since no candidate can have observed
 * it earlier. A timer ends it, so setting the system's clock has no effect.
 */
export class Term implements Disposable {
  readonly #clock: Clock;
  readonly #milliseconds: number;
  readonly #controller = new AbortController();
  #timer: Disposable | undefined;

  constructor(clock: Clock, milliseconds: number) {
    this.#clock = clock;
    this.#milliseconds = milliseconds;
  }

  /** Fires at the end of the term with a {@link LeadershipLostError}. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isOver(): boolean {
    return this.signal.aborted;
  }

  end(why: string): void {
    this.#controller.abort(new LeadershipLostError(why));
    this[Symbol.dispose]();
  }

  /** Sends a renewal. If `send` resolves to true, the term restarts from the moment of this call; otherwise its end stays the same. */
  async renew(send: () => Promise<boolean>): Promise<boolean> {
    const timer = this.#clock.setTimer(
      () => this.end(`leadership lost: not renewed within ${this.#milliseconds} ms`),
      this.#milliseconds,
    );
    let succeeded = false;
    try {
      succeeded = await send();
    } finally {
      const superseded = succeeded && !this.isOver ? this.#timer : timer;
      superseded?.[Symbol.dispose]();
    }
    if (succeeded && !this.isOver) this.#timer = timer;
    return succeeded && !this.isOver;
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }
}
