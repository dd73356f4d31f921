export { CronParseError, parseSchedule, type Schedule } from './schedule.js';
export { isTimeZone, localTimeZone, TimeZone } from './time-zone.js';
