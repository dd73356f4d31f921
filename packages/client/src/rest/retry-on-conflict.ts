import { Backoff, type BackoffOptions, type Clock, sleep, systemClock } from '../clock/index.js';
import { isConflict } from './predicates.js';

export interface RetryOptions extends Partial<BackoffOptions> {
  /** The maximum number of attempts. Default: 5. */
  readonly attempts?: number;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

/**
 * Retries `attempt` after a conflict. Each attempt must read, change and write the object. Throws the conflict of the last attempt. Delays are
 * client-go's `DefaultRetry`: 10 ms with 10 % jitter.
 */
export async function retryOnConflict<T>(attempt: () => Promise<T>, options: RetryOptions = {}): Promise<T> {
  return retryOnError(attempt, isConflict, options);
}

/** Like {@link retryOnConflict}, for errors that `isRetriable` accepts. */
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
