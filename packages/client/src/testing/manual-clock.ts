import type { Clock } from '../clock/index.js';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that only the test advances. */
export class ManualClock implements Clock {
  #now: number;
  readonly #timers = new Set<Timer>();

  /** `now` is milliseconds since the epoch. */
  constructor(now = 1_800_000_000_000) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  setTimeout(run: () => void, milliseconds: number): Disposable {
    const timer = { at: this.#now + milliseconds, run };
    this.#timers.add(timer);
    return { [Symbol.dispose]: () => this.#timers.delete(timer) };
  }

  /** The number of pending timers. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** Milliseconds until the next timer; undefined if none is pending. */
  get untilNext(): number | undefined {
    const next = this.#next();
    return next === undefined ? undefined : next.at - this.#now;
  }

  /** Advances the time. Runs due timers in order, and after each one all work that needs no further time. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settle();
    for (let timer = this.#next(); timer !== undefined && timer.at <= end; timer = this.#next()) {
      this.#timers.delete(timer);
      this.#now = Math.max(this.#now, timer.at);
      timer.run();
      await settle();
    }
    this.#now = end;
  }

  /** The earliest timer; among equals the one that was set first. */
  #next(): Timer | undefined {
    let next: Timer | undefined;
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
