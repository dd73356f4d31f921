export { BatchQueue, type BatchOptions, type BatchTarget } from './batch-queue.js';
