import { Backoff, type Clock, type Timer } from '@binnacle/apimachinery/clock';

/** The backoff after the first failure; it doubles with each further one. */
const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 30_000;

/**
 * A queue of names to process, one at a time. A name that is added repeatedly is processed once. A failed name is
 * requeued with backoff.
 */
export class WorkQueue {
  readonly #work: (name: string) => Promise<void>;
  readonly #report: (error: unknown) => void;
  readonly #clock: Clock;
  readonly #backoff = new Backoff({ initial: SHORTEST_PAUSE_MS, maximum: LONGEST_PAUSE_MS });
  readonly #waiting = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Set<Timer>();
  #running = false;
  #stopped = false;

  constructor(work: (name: string) => Promise<void>, report: (error: unknown) => void, clock: Clock) {
    this.#work = work;
    this.#report = report;
    this.#clock = clock;
  }

  add(name: string): void {
    if (this.#stopped) return;
    this.#waiting.add(name);
    if (!this.#running) void this.#run();
  }

  addAfter(name: string, milliseconds: number): void {
    const timer = this.#clock.setTimer(() => {
      this.#timers.delete(timer);
      this.add(name);
    }, milliseconds);
    timer.unref();
    this.#timers.add(timer);
  }

  stop(): void {
    this.#stopped = true;
    this.#waiting.clear();
    for (const timer of this.#timers) timer[Symbol.dispose]();
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (const name of this.#waiting) {
      this.#waiting.delete(name);
      try {
        await this.#work(name);
        this.#failures.delete(name);
      } catch (error) {
        if (this.#stopped) break;
        const failures = this.#failures.get(name) ?? 0;
        this.#failures.set(name, failures + 1);
        this.#report(error);
        this.addAfter(name, this.#backoff.delay(failures));
      }
    }
    this.#running = false;
  }
}
