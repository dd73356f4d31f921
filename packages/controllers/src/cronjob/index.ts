export { createCronJobLoop } from './cron-job-loop.js';
