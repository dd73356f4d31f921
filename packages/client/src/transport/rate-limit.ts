import type { TokenBucket } from '../clock/index.js';
import type { Send } from './exchange.js';

/** Lets requests pass as the bucket has turns for them. */
export function withRateLimit(next: Send, bucket: TokenBucket): Send {
  return async (request, options) => {
    await bucket.take(options.signal);
    return next(request, options);
  };
}
