/** An answer that is handed to its connection completely. */
export interface UnsentAnswer {
  /** Breaks the answer off because the client is too slow. */
  breakOff(): void;
}

/** The memory of an answer in addition to its body: the exchange, its stream, headers. */
const BYTES_PER_ANSWER = 16 * 1024;

interface Unsent {
  /** When it is broken off if the client has not read it. */
  readonly until: number;
  readonly bytes: number;
}

/**
 * Short answers that clients have not read yet. An answer that is not read in time is broken off; otherwise it would hold
 * memory and a connection for as long as the client likes. When all of them hold too much memory, the oldest are broken
 * off. Long answers are produced as the client reads, within memory that is reserved before they begin.
 */
export class UnsentAnswers {
  readonly #timeoutMs: number;
  readonly #maxBytes: number;
  /** Oldest first. */
  readonly #answers = new Map<UnsentAnswer, Unsent>();
  #bytes = 0;
  #isScheduled = false;

  /** `maxBytes`: the memory that all of them may hold together. */
  constructor(timeoutMs: number, maxBytes: number) {
    this.#timeoutMs = timeoutMs;
    this.#maxBytes = maxBytes;
  }

  /** Call it once for each answer. `bodyBytes`: the size of its body. */
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
