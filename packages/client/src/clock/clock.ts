/** The source of time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `run` once, after at least that many milliseconds, unless disposed before. */
  setTimeout(run: () => void, milliseconds: number): Disposable;
}

/** Node takes no longer timeouts, and would call at once. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/** The machine's own time. */
export const systemClock: Clock = {
  now: Date.now,
  setTimeout: (run, milliseconds) => {
    const timer = setTimeout(run, Math.min(milliseconds, LONGEST_TIMEOUT));
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};
