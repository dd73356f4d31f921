import type { Clock, Timer } from './clock.js';
import { TimerQueue } from './timer-queue.js';

/** A clock that only its owner advances, for tests and simulations. */
export class VirtualClock implements Clock {
  #monotonic = 0;
  /** Wall time at the monotonic time 0. */
  #start: number;
  readonly #timers = new TimerQueue();
  readonly #settle: () => Promise<void>;

  /** `now` is milliseconds since the epoch. `settled` resolves when all work has run that needs no further time; see {@link settle}. */
  constructor(now = 1_800_000_000_000, settled = settle) {
    this.#start = now;
    this.#settle = settled;
  }

  now(): number {
    return this.#start + this.#monotonic;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  setTimer(run: () => void, milliseconds: number): Timer {
    const remove = this.#timers.add(this.#monotonic + milliseconds, run);
    const timer: Timer = { unref: () => timer, [Symbol.dispose]: remove };
    return timer;
  }

  /** The number of pending timers. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** Milliseconds until the next timer; undefined if none is pending. */
  get untilNext(): number | undefined {
    const { first } = this.#timers;
    return first === undefined ? undefined : first.at - this.#monotonic;
  }

  /** Advances the time. Runs due timers in order, and after each one all work that needs no further time. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#monotonic + milliseconds;
    await this.#settle();
    for (let { first } = this.#timers; first !== undefined && first.at <= end; { first } = this.#timers) {
      this.#timers.take();
      this.#monotonic = Math.max(this.#monotonic, first.at);
      first.run();
      await this.#settle();
    }
    // A timer may have skipped beyond the end.
    this.#monotonic = Math.max(this.#monotonic, end);
  }

  /** Advances the time and runs no timer, as if the process had been suspended. */
  skip(milliseconds: number): void {
    this.#monotonic += milliseconds;
  }

  /** Sets the wall clock ahead, or back for a negative number. Timers keep their delays. */
  jump(milliseconds: number): void {
    this.#start += milliseconds;
  }
}

/** Resolves when all work that needs neither time nor input has run. */
export function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
