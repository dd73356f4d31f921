export { type QueueOptions, SchedulingQueue } from './scheduling-queue.js';
