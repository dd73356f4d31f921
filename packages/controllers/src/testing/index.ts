export { runLoop, type RunningLoop } from './run-loop.js';
