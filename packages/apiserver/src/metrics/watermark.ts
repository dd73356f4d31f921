const WINDOW_MS = 1000;

/** How many there are at most at once, second by second. Nothing runs between the calls. */
export class Watermark {
  #count = 0;
  /** Most in the second that is under way, and in the one before it. */
  #highest = 0;
  #before = 0;
  #end = 0;

  /** `now`: milliseconds, not going back by much. */
  enter(now: number): void {
    this.#turn(now);
    this.#count++;
    if (this.#count > this.#highest) this.#highest = this.#count;
  }

  leave(now: number): void {
    this.#turn(now);
    this.#count--;
  }

  /** Most in the last whole second. */
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
