import {
  abortable,
  type Clock,
  Deadline,
  reasonOf,
  sleep,
  systemClock,
  TimeoutError,
} from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';

export interface EventuallyOptions {
  /** Milliseconds for which the assertion may fail. Default: 10,000. */
  readonly timeout?: number;
  /** Milliseconds between attempts. Default: 20. */
  readonly interval?: number;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

/**
 * Calls the assertion, one call at a time and at least once, until it does not throw, and resolves to its result. At the timeout it rejects with a
 * `TimeoutError` whose cause is the last error; when the signal fires, with the signal's reason.
 *
 * For one object prefer {@link waitFor}, which watches instead of polling.
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
  const message = messageOf(last);
  return new TimeoutError(`still failing after ${timeout} ms: ${message}`, { cause: last });
}
