export { createNodeLifecycleLoop } from './node-lifecycle-loop.js';
