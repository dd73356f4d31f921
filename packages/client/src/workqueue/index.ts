export { BucketLimiter, defaultLimiter, ExponentialLimiter, MaxOfLimiter, type RateLimiter } from './rate-limiter.js';
export { type AddOptions, WorkQueue, type WorkQueueObserver, type WorkQueueOptions } from './work-queue.js';
