export { createTtlLoop } from './ttl-loop.js';
