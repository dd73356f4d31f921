/** An answer that has been handed to its connection as a whole. */
export interface UnsentAnswer {
  /** The client takes too long: nothing more of it is sent. */
  breakOff(): void;
}

/** What an answer holds beside its body: the exchange, its stream, headers. */
const BYTES_PER_ANSWER = 16 * 1024;

interface Unsent {
  /** Until when it may be taken. */
  readonly until: number;
  readonly bytes: number;
}

/**
 * Short answers that their clients have not taken yet. One that is not taken within the time is broken off: it would hold
 * its memory, and its connection, for as long as the client likes. Where all together hold too much, those that have waited
 * longest are broken off. Long answers are made as they are taken, and the memory that they reserve is bounded before they begin.
 */
export class UnsentAnswers {
  readonly #timeoutMs: number;
  readonly #maxBytes: number;
  /** Those that have waited longest come first. */
  readonly #answers = new Map<UnsentAnswer, Unsent>();
  #bytes = 0;
  #isScheduled = false;

  /** `maxBytes`: what all of them may hold together. */
  constructor(timeoutMs: number, maxBytes: number) {
    this.#timeoutMs = timeoutMs;
    this.#maxBytes = maxBytes;
  }

  /** To be called once for an answer. `bodyBytes`: of its body. */
  add(answer: UnsentAnswer, bodyBytes: number): void {
    const bytes = bodyBytes + BYTES_PER_ANSWER;
    this.#answers.set(answer, { until: performance.now() + this.#timeoutMs, bytes });
    this.#bytes += bytes;
    if (!this.#isScheduled) this.#schedule(this.#timeoutMs);
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#breakOff(oldest);
    }
  }

  delete(answer: UnsentAnswer): void {
    this.#bytes -= this.#answers.get(answer)?.bytes ?? 0;
    this.#answers.delete(answer);
  }

  #breakOff(answer: UnsentAnswer): void {
    this.delete(answer);
    answer.breakOff();
  }

  #schedule(milliseconds: number): void {
    this.#isScheduled = true;
    setTimeout(() => this.#sweep(), milliseconds).unref();
  }

  #sweep(): void {
    const now = performance.now();
    this.#isScheduled = false;
    for (const [answer, { until }] of this.#answers) {
      if (until > now) {
        this.#schedule(until - now);
        return;
      }
      this.#breakOff(answer);
    }
  }
}
