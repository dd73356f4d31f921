/** The source of time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `run` once, after at least that many milliseconds, unless disposed before. */
  setTimeout(run: () => void, milliseconds: number): Disposable;
}

/** For longer timeouts Node would call at once. */
const MAX_TIMEOUT_MILLISECONDS = 2 ** 31 - 1;

/** The system's time. */
export const systemClock: Clock = {
  now: Date.now,
  setTimeout: (run, milliseconds) => {
    const timer = setTimeout(run, Math.min(milliseconds, MAX_TIMEOUT_MILLISECONDS));
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};
