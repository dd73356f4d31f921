import type { TokenBucket } from '@binnacle/apimachinery/clock';
import type { Send } from './exchange.js';

/** Delays requests until the bucket has a token for them. */
export function withRateLimit(next: Send, bucket: TokenBucket): Send {
  return async (request, options) => {
    await bucket.take(options.signal);
    return next(request, options);
  };
}
