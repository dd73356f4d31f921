export { Backoff, type BackoffOptions } from './backoff.js';
export { type Clock, systemClock } from './clock.js';
export { Deadline, TimeoutError } from './deadline.js';
export { abortable, reasonOf, sleep } from './sleep.js';
export { type RateLimit, TokenBucket } from './token-bucket.js';
