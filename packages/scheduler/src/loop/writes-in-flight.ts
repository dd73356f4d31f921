/** The most bindings and other writes in flight. Beyond that, pods wait in the queue. */
const MOST_WRITES = 200;

/** The work that runs beside the scheduling cycles, and the number of its unanswered writes. */
export class WritesInFlight {
  readonly #report: (error: unknown) => void;
  /** Called after each write: there may be room for more. */
  readonly #ended: () => void;
  readonly #work = new Set<Promise<void>>();
  /** Without pods that wait for their volumes. */
  #writes = 0;

  constructor(report: (error: unknown) => void, ended: () => void) {
    this.#report = report;
    this.#ended = ended;
  }

  get hasRoom(): boolean {
    return this.#writes < MOST_WRITES;
  }

  /** Counts a write until it has ended. */
  async counted<T>(write: () => Promise<T>): Promise<T> {
    this.#writes++;
    try {
      return await write();
    } finally {
      this.#writes--;
      this.#ended();
    }
  }

  /** {@link settled} waits for this work. Its failures are reported. */
  keep(work: Promise<void>): void {
    const kept = work.catch(this.#report).finally(() => this.#work.delete(kept));
    this.#work.add(kept);
  }

  async settled(): Promise<void> {
    await Promise.all(this.#work);
  }
}
