import type { Clock, Timer } from './clock.js';

interface PendingTimer {
  /** On the monotonic clock. */
  readonly at: number;
  readonly run: () => void;
}

/** A clock that only its owner advances, for tests and simulations. */
export class VirtualClock implements Clock {
  #monotonic = 0;
  /** Wall time at the monotonic time 0. */
  #start: number;
  readonly #timers = new Set<PendingTimer>();
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
    const pending = { at: this.#monotonic + milliseconds, run };
    this.#timers.add(pending);
    const timer: Timer = {
      unref: () => timer,
      [Symbol.dispose]: () => void this.#timers.delete(pending),
    };
    return timer;
  }

  /** The number of pending timers. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** Milliseconds until the next timer; undefined if none is pending. */
  get untilNext(): number | undefined {
    const next = this.#next();
    return next === undefined ? undefined : next.at - this.#monotonic;
  }

  /** Advances the time. Runs due timers in order, and after each one all work that needs no further time. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#monotonic + milliseconds;
    await this.#settle();
    for (let timer = this.#next(); timer !== undefined && timer.at <= end; timer = this.#next()) {
      this.#timers.delete(timer);
      this.#monotonic = Math.max(this.#monotonic, timer.at);
      timer.run();
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

  /** The earliest timer; among equals the one that was set first. */
  #next(): PendingTimer | undefined {
    let next: PendingTimer | undefined;
    for (const timer of this.#timers) if (next === undefined || timer.at < next.at) next = timer;
    return next;
  }
}

/** Resolves when all work that needs neither time nor input has run. */
export function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
