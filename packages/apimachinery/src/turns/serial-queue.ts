/** Runs work one after the other, in the order of the calls. A failure reaches only its own caller. */
export class SerialQueue {
  #last: Promise<void> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    // Without the result, which may be large.
    this.#last = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  /** Settles when all work that was asked for so far has ended. */
  idle(): Promise<void> {
    return this.#last;
  }
}
