export { createTtlAfterFinishedLoop } from './ttl-after-finished-loop.js';
