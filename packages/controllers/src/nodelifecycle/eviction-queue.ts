/** The names of nodes that wait for a taint. One node gets it at a time, at a limited rate. Times are milliseconds of one clock. */
export class EvictionQueue {
  readonly #waiting = new Set<string>();
  #rate: number;
  /** When the next one may go. */
  #freeAt = 0;

  /** `rate`: nodes a second. */
  constructor(rate: number) {
    this.#rate = rate;
  }

  add(node: string): void {
    this.#waiting.add(node);
  }

  remove(node: string): void {
    this.#waiting.delete(node);
  }

  /** A rate of 0 stops the queue. Under another rate, a queue that has just let one go waits by the new rate. */
  setRate(rate: number, now: number): void {
    if (rate === this.#rate) return;
    if (rate === 0) this.#freeAt = Infinity;
    else if (this.#freeAt > now) this.#freeAt = now + 1000 / rate;
    this.#rate = rate;
  }

  /** Milliseconds until the next node may go; undefined if none waits, or if none may go. */
  wait(now: number): number | undefined {
    return this.#waiting.size === 0 || this.#freeAt === Infinity ? undefined : Math.max(0, this.#freeAt - now);
  }

  /** The next node, if it may go now. It is the last one in the queue until it is removed. */
  take(now: number): string | undefined {
    const [next] = this.#waiting;
    if (next === undefined || this.#freeAt > now) return undefined;
    this.#freeAt = now + 1000 / this.#rate;
    this.#waiting.delete(next);
    this.#waiting.add(next);
    return next;
  }
}
