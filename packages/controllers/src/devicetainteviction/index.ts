export { createDeviceTaintEvictionLoop } from './device-taint-eviction-loop.js';
