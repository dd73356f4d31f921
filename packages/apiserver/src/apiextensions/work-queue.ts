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
  readonly #waiting = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #running = false;
  #stopped = false;

  constructor(work: (name: string) => Promise<void>, report: (error: unknown) => void) {
    this.#work = work;
    this.#report = report;
  }

  add(name: string): void {
    if (this.#stopped) return;
    this.#waiting.add(name);
    if (!this.#running) void this.#run();
  }

  addAfter(name: string, milliseconds: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.add(name);
    }, milliseconds);
    timer.unref();
    this.#timers.add(timer);
  }

  stop(): void {
    this.#stopped = true;
    this.#waiting.clear();
    for (const timer of this.#timers) clearTimeout(timer);
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
        this.addAfter(name, Math.min(SHORTEST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS));
      }
    }
    this.#running = false;
  }
}
