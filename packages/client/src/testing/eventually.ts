import { abortable, type Clock, Deadline, reasonOf, sleep, systemClock, TimeoutError } from '../clock/index.js';

export interface EventuallyOptions {
  /** For so long it may fail, milliseconds. Default: 10,000. */
  readonly timeout?: number;
  /** Between the end of one attempt and the next, milliseconds. Default: 20. */
  readonly interval?: number;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

/**
 * Resolves with what the assertion answers, as soon as it does not throw. It is made at least once, and never twice at a time. When time is
 * up, rejects with a `TimeoutError` that says what it threw last, and has it as its cause; with the signal's reason when that fires.
 *
 * Where it is about one object, {@link waitFor} hears of changes in place of asking again and again.
 */
export async function eventually<T>(
  assertion: (signal: AbortSignal) => T | Promise<T>,
  options: EventuallyOptions = {},
): Promise<T> {
  const { timeout = 10_000, interval = 20, signal, clock = systemClock } = options;
  signal?.throwIfAborted();
  using deadline = new Deadline(clock, timeout, signal, 'eventually');
  let last: unknown = new Error('the first attempt has not ended');
  for (;;) {
    try {
      return await abortable(Promise.resolve(assertion(deadline.signal)), deadline.signal);
    } catch (error) {
      if (!deadline.signal.aborted) last = error;
    }
    await sleep(clock, interval, deadline.signal).catch(() => undefined);
    if (signal?.aborted === true) throw reasonOf(signal);
    if (deadline.signal.aborted) throw failing(timeout, last);
  }
}

function failing(timeout: number, last: unknown): TimeoutError {
  const message = last instanceof Error ? last.message : String(last);
  return new TimeoutError(`still failing after ${timeout} ms: ${message}`, { cause: last });
}
