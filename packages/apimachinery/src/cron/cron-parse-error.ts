/** Says what is wrong with a schedule, in the words of robfig/cron. */
export class CronParseError extends Error {
  override readonly name = 'CronParseError';
}
