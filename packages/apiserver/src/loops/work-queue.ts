import { Backoff, type Clock, type Timer } from '@binnacle/apimachinery/clock';

/** The backoff after the first failure; it doubles with each further one. */
const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 30_000;

export interface WorkQueueOptions {
  readonly work: (name: string) => Promise<void>;
  /** Receives each failure. */
  readonly report: (error: unknown, name: string) => void;
  readonly clock: Clock;
  /** How many names are processed at a time. Default: 1. */
  readonly workers?: number;
}

/**
 * A queue of names to process. A name that is added repeatedly is processed once, and never twice at a time. A failed
 * name is requeued with backoff.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #workers: number;
  readonly #backoff = new Backoff({ initial: SHORTEST_PAUSE_MS, maximum: LONGEST_PAUSE_MS });
  readonly #waiting = new Set<string>();
  readonly #running = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Map<string, { readonly due: number; readonly timer: Timer }>();
  #stopped = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#workers = options.workers ?? 1;
  }

  add(name: string): void {
    if (this.#stopped) return;
    this.#waiting.add(name);
    this.#proceed();
  }

  /** A name waits for the earliest of its times only. */
  addAfter(name: string, milliseconds: number): void {
    if (this.#stopped) return;
    const { clock } = this.#options;
    const due = clock.monotonic() + milliseconds;
    const pending = this.#timers.get(name);
    if (pending !== undefined && pending.due <= due) return;
    pending?.timer[Symbol.dispose]();
    const timer = clock.setTimer(() => {
      this.#timers.delete(name);
      this.add(name);
    }, milliseconds);
    this.#timers.set(name, { due, timer: timer.unref() });
  }

  stop(): void {
    this.#stopped = true;
    this.#waiting.clear();
    for (const { timer } of this.#timers.values()) timer[Symbol.dispose]();
  }

  #proceed(): void {
    for (const name of this.#waiting) {
      if (this.#running.size >= this.#workers) return;
      if (this.#running.has(name)) continue;
      this.#waiting.delete(name);
      this.#running.add(name);
      void this.#process(name);
    }
  }

  async #process(name: string): Promise<void> {
    try {
      await this.#options.work(name);
      this.#failures.delete(name);
    } catch (error) {
      if (!this.#stopped) this.#retry(name, error);
    } finally {
      this.#running.delete(name);
      this.#proceed();
    }
  }

  #retry(name: string, error: unknown): void {
    const failures = this.#failures.get(name) ?? 0;
    this.#failures.set(name, failures + 1);
    this.#options.report(error, name);
    this.addAfter(name, this.#backoff.delay(failures));
  }
}
