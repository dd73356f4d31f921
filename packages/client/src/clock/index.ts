export { Backoff, type BackoffOptions } from './backoff.js';
export { abortable, type Clock, Deadline, reasonOf, sleep, systemClock, TimeoutError } from './clock.js';
export { type RateLimit, TokenBucket } from './token-bucket.js';
