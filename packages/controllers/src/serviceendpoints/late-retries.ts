import type { Clock } from '@binnacle/apimachinery/clock';
import { BucketLimiter, ExponentialLimiter, MaxOfLimiter, type RateLimiter } from '@binnacle/client/workqueue';

/** A change of endpoints may be expensive, so retries begin late. `maximum`: milliseconds. */
export function lateRetries(maximum: number): (clock: Clock) => RateLimiter<string> {
  return (clock) => {
    const each = new ExponentialLimiter<string>({ initial: 1000, maximum });
    return new MaxOfLimiter([each, new BucketLimiter<string>({ qps: 10, burst: 100 }, clock)]);
  };
}
