export { Follower, type FollowerOptions } from './follower.js';
export { WorkQueue, type WorkQueueOptions } from './work-queue.js';
