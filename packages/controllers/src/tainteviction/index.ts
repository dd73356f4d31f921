export { createTaintEvictionLoop } from './taint-eviction-loop.js';
