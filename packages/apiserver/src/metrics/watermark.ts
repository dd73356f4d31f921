const WINDOW_MS = 1000;

/** The maximum of a concurrent count, per second. It needs no timer. */
export class Watermark {
  #count = 0;
  /** The maximum of the current second and of the previous one. */
  #highest = 0;
  #before = 0;
  #end = 0;

  /** `now` is in milliseconds and may go back only slightly. */
  enter(now: number): void {
    this.#turn(now);
    this.#count++;
    if (this.#count > this.#highest) this.#highest = this.#count;
  }

  leave(now: number): void {
    this.#turn(now);
    this.#count--;
  }

  /** The maximum of the last whole second. */
  read(now: number): number {
    this.#turn(now);
    return this.#before;
  }

  #turn(now: number): void {
    if (now < this.#end) return;
    this.#before = now < this.#end + WINDOW_MS ? this.#highest : this.#count;
    this.#highest = this.#count;
    this.#end = (Math.floor(now / WINDOW_MS) + 1) * WINDOW_MS;
  }
}
