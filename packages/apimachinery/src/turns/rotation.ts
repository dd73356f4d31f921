/** Waiting work of several owners. Each owner's waits in order; the owners come in turn, one piece each. */
export class Rotation {
  /** In the order of their next pieces. An owner without waiting work is absent. */
  readonly #queues = new Map<object, (() => void)[]>();

  get isEmpty(): boolean {
    return this.#queues.size === 0;
  }

  push(owner: object, resume: () => void): void {
    const queue = this.#queues.get(owner);
    if (queue === undefined) this.#queues.set(owner, [resume]);
    else queue.push(resume);
  }

  shift(): (() => void) | undefined {
    for (const [owner, queue] of this.#queues) {
      const resume = queue.shift();
      this.#queues.delete(owner);
      if (queue.length > 0) this.#queues.set(owner, queue);
      return resume;
    }
    return undefined;
  }
}
