import { Backoff, type Clock, type Random, sleep, systemClock, systemRandom } from '@binnacle/apimachinery/clock';
import { isConflict } from './predicates.js';

export interface RetryOptions {
  /** The maximum number of attempts. Default: 5. */
  readonly attempts?: number;
  /** The first delay, in milliseconds. Default: 10. */
  readonly initial?: number;
  /** Each delay is the previous one times this factor. Default: 1. */
  readonly factor?: number;
  /** The maximum delay before jitter, in milliseconds. Default: none. */
  readonly maximum?: number;
  /** Each delay grows by a random part of itself, up to this share. Default: 0.1. */
  readonly jitter?: number;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  readonly random?: Random;
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
  const { attempts = 5, signal, clock = systemClock, random = systemRandom, jitter = 0.1, ...delays } = options;
  const backoff = new Backoff({ initial: 10, factor: 1, ...delays, jitter: { share: jitter, random } });
  for (let made = 1; ; made++) {
    try {
      return await attempt();
    } catch (error) {
      if (made >= attempts || !isRetriable(error)) throw error;
    }
    await sleep(clock, backoff.next(), signal);
  }
}
