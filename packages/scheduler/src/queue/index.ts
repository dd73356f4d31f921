export { type QueueOptions, type QueueProfile, SchedulingQueue } from './scheduling-queue.js';
