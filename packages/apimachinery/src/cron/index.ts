export { CronParseError, parseSchedule, type Schedule } from './schedule.js';
export { TimeZone } from './time-zone.js';
