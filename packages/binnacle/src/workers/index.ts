export { runWorker } from './run-worker.js';
export { startPrimary } from './start-primary.js';
