export { runScheduler, type SchedulerOptions } from './run-scheduler.js';
