export { BatchQueue, type BatchOptions, type BatchTarget, CLOSING_MS } from './batch-queue.js';
