/** Changes that must not happen during a cycle wait for its end, in order. */
export class Postponed {
  #isHeld = false;
  readonly #waiting: (() => void)[] = [];

  /** Makes the change now, or when {@link hold} has ended. */
  run(change: () => void): void {
    if (this.#isHeld) this.#waiting.push(change);
    else change();
  }

  /** Postpones all changes until the work has ended. */
  async hold(work: () => Promise<void>): Promise<void> {
    this.#isHeld = true;
    try {
      await work();
    } finally {
      this.#isHeld = false;
      for (const change of this.#waiting.splice(0)) change();
    }
  }
}
