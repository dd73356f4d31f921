/** The source of time. */
export interface Clock {
  /** Wall time: milliseconds since the epoch. It jumps when the machine's clock is set. */
  now(): number;
  /** Milliseconds since some moment. It never jumps, so durations and deadlines are measured with it. */
  monotonic(): number;
  /** Calls `run` once, after at least that many milliseconds, unless disposed before. */
  setTimer(run: () => void, milliseconds: number): Timer;
}

/** A pending call. Dispose it to cancel the call. */
export interface Timer extends Disposable {
  /** Lets the process end before the timer is due. */
  unref(): this;
}

/**
 * Wall time that cannot be set: it starts at the clock's wall time and advances with its monotonic time. Lifetimes use
 * it, so that a jump of the wall clock does not end them early.
 */
export function steadyTime(clock: Clock): () => number {
  const start = clock.now() - clock.monotonic();
  return () => start + clock.monotonic();
}

/**
 * Calls `run` every this many milliseconds until disposed. It does not keep the process alive. `run` must not throw.
 */
export function repeat(clock: Clock, milliseconds: number, run: () => void): Disposable {
  const arm = (): Timer =>
    clock
      .setTimer(() => {
        timer = arm();
        run();
      }, milliseconds)
      .unref();
  let timer = arm();
  return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}
