import type { Clock, Timer } from '@binnacle/apimachinery/clock';

/** A clock whose timers run at once when it is advanced, without turns of the event loop between them. */
export class StepClock implements Clock {
  #time = 0;
  readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>();

  now(): number {
    return this.#time;
  }

  monotonic(): number {
    return this.#time;
  }

  setTimer(run: () => void, milliseconds: number): Timer {
    const pending = { at: this.#time + milliseconds, run };
    this.#timers.add(pending);
    const timer: Timer = { unref: () => timer, [Symbol.dispose]: () => void this.#timers.delete(pending) };
    return timer;
  }

  get waiting(): number {
    return this.#timers.size;
  }

  advance(milliseconds: number): void {
    const end = this.#time + milliseconds;
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#timers.delete(next);
      this.#time = next.at;
      next.run();
    }
    this.#time = end;
  }

  /** The first timer due by then; of those due at the same time, the first that was set. */
  #next(end: number) {
    let first: { readonly at: number; readonly run: () => void } | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= end && timer.at < (first?.at ?? Number.POSITIVE_INFINITY)) first = timer;
    }
    return first;
  }
}
