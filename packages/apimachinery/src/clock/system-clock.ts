import type { Clock, Timer } from './clock.js';

/** Node.js fires longer timers at once. */
const LONGEST_TIMER_MILLISECONDS = 2 ** 31 - 1;

/** The machine's time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer: (run, milliseconds) => new SystemTimer(run, milliseconds),
};

class SystemTimer implements Timer {
  #timer: NodeJS.Timeout;

  constructor(run: () => void, milliseconds: number) {
    this.#timer = this.#start(run, milliseconds);
  }

  unref(): this {
    this.#timer.unref();
    return this;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #start(run: () => void, milliseconds: number): NodeJS.Timeout {
    if (milliseconds <= LONGEST_TIMER_MILLISECONDS) return setTimeout(run, milliseconds);
    return setTimeout(() => {
      const keepsAlive = this.#timer.hasRef();
      this.#timer = this.#start(run, milliseconds - LONGEST_TIMER_MILLISECONDS);
      if (!keepsAlive) this.#timer.unref();
    }, LONGEST_TIMER_MILLISECONDS);
  }
}
