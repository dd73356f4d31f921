/** An answer that has been handed to its connection as a whole. */
export interface UnsentAnswer {
  /** The client takes too long: nothing more of it is sent. */
  breakOff(): void;
}

/**
 * Short answers that their clients have not taken yet. One that is not taken within the time is broken off: it would hold
 * its memory, and its connection, for as long as the client likes.
 */
export class UnsentAnswers {
  readonly #timeoutMs: number;
  /** With the time until which each may be taken, in that order. */
  readonly #answers = new Map<UnsentAnswer, number>();
  #isScheduled = false;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  add(answer: UnsentAnswer): void {
    this.#answers.set(answer, performance.now() + this.#timeoutMs);
    if (!this.#isScheduled) this.#schedule(this.#timeoutMs);
  }

  delete(answer: UnsentAnswer): void {
    this.#answers.delete(answer);
  }

  #schedule(milliseconds: number): void {
    this.#isScheduled = true;
    setTimeout(() => this.#sweep(), milliseconds).unref();
  }

  #sweep(): void {
    const now = performance.now();
    this.#isScheduled = false;
    for (const [answer, until] of this.#answers) {
      if (until > now) {
        this.#schedule(until - now);
        return;
      }
      this.#answers.delete(answer);
      answer.breakOff();
    }
  }
}
