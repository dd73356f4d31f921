import type { Clock } from '../clock/index.js';

/** One was the leader, and may not think so any more: somebody else may be. */
export class LeadershipLostError extends Error {
  override readonly name = 'LeadershipLostError';
}

/**
 * The time for which a leader may think itself the leader. Every renewal moves its end on, counted from when the renewal was sent: nobody can
 * have seen it earlier. The end comes by a timer, so that setting the machine's clock changes nothing.
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

  /** Fires at the end, with a {@link LeadershipLostError}. */
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

  /** Sends a renewal. When it resolves to true, the term lasts so long from now on; else it ends when it would have ended anyway. */
  async renew(send: () => Promise<boolean>): Promise<boolean> {
    const timer = this.#clock.setTimeout(
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
