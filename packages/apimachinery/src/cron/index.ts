export { CronParseError } from './cron-parse-error.js';
export { parseSchedule, type Schedule } from './schedule.js';
