import type { Clock } from '@binnacle/apimachinery/clock';

interface Entry<T> {
  readonly answer: Promise<T>;
  readonly until: number;
}

/** Answers that count for a while. Concurrent callers share one question. Failures are not kept. */
export class RecentAnswers<T> {
  readonly #clock: Clock;
  readonly #milliseconds: number;
  readonly #maximum: number;
  readonly #entries = new Map<string, Entry<T>>();

  constructor(clock: Clock, milliseconds: number, maximum: number) {
    this.#clock = clock;
    this.#milliseconds = milliseconds;
    this.#maximum = maximum;
  }

  get(key: string, ask: () => Promise<T>): Promise<T> {
    const now = this.#clock.monotonic();
    const known = this.#entries.get(key);
    if (known !== undefined && known.until > now) return known.answer;
    const entry = { answer: ask(), until: now + this.#milliseconds };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    entry.answer.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maximum) break;
      this.#entries.delete(oldest);
    }
    return entry.answer;
  }
}
