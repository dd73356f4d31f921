import { Backoff, type BackoffOptions, type Clock, sleep, systemClock } from '../clock/index.js';
import { isConflict } from './predicates.js';

export interface RetryOptions extends Partial<BackoffOptions> {
  /** How often at most, the first time included. Default: 5. */
  readonly attempts?: number;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

/**
 * Runs `attempt` again when it meets a conflict: it must read the object, change it and write it each time. After the last attempt its
 * conflict is thrown. Delays are client-go's `DefaultRetry`: 10 ms, and up to a tenth more.
 */
export async function retryOnConflict<T>(attempt: () => Promise<T>, options: RetryOptions = {}): Promise<T> {
  return retryOnError(attempt, isConflict, options);
}

/** The same for errors of the caller's choice. */
export async function retryOnError<T>(
  attempt: () => Promise<T>,
  isRetriable: (error: unknown) => boolean,
  options: RetryOptions = {},
): Promise<T> {
  const { attempts = 5, signal, clock = systemClock, ...delays } = options;
  const backoff = new Backoff({ initial: 10, factor: 1, jitter: 0.1, ...delays });
  for (let made = 1; ; made++) {
    try {
      return await attempt();
    } catch (error) {
      if (made >= attempts || !isRetriable(error)) throw error;
    }
    await sleep(clock, backoff.next(), signal);
  }
}
