import { parseDuration, TimeParseError, TimeZone } from '../time/index.js';
import { CronParseError } from './cron-parse-error.js';
import { type Field, type Fields, parseFields } from './fields.js';

/** When something is due. */
export interface Schedule {
  /** The first time after this one, in milliseconds since the epoch, a whole second; undefined if there is none within five years. */
  next(after: number): number | undefined;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** How many years a search covers: a schedule may match no date, such as 30 February. */
const YEARS = 5;

const descriptors: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

/**
 * Parses five fields, a descriptor such as `@daily`, or `@every 1h30m`. `TZ=ZONE ` or `CRON_TZ=ZONE ` may come first; `zone` applies to schedules
 * without it. Throws {@link CronParseError}. Upstream: robfig/cron `ParseStandard`.
 */
export function parseSchedule(text: string, zone = 'Local'): Schedule {
  if (text === '') throw new CronParseError('empty spec string');
  const { name = zone, rest } = splitZone(text);
  const timeZone = TimeZone.of(name);
  if (timeZone === undefined) throw new CronParseError(`provided bad location ${name}: unknown time zone ${name}`);
  if (!rest.startsWith('@')) return new FieldSchedule(parseFields(rest), timeZone);
  const described = descriptors.get(rest);
  if (described !== undefined) return new FieldSchedule(parseFields(described), timeZone);
  if (!rest.startsWith('@every ')) throw new CronParseError(`unrecognized descriptor: ${rest}`);
  return everyDuration(rest);
}

function splitZone(text: string): { readonly name?: string; readonly rest: string } {
  if (!text.startsWith('TZ=') && !text.startsWith('CRON_TZ=')) return { rest: text };
  const end = text.indexOf(' ');
  // The text of the panic of upstream's parser.
  if (end < 0) throw new CronParseError('invalid schedule format: runtime error: slice bounds out of range [:-1]');
  return { name: text.slice(text.indexOf('=') + 1, end), rest: text.slice(end).trim() };
}

/** Drops fractions of a second. The delay is at least one second. */
function everyDuration(text: string): Schedule {
  try {
    const nanoseconds = Number(parseDuration(text.slice('@every '.length)));
    const delay = Math.max(1, Math.floor(nanoseconds / 1e9)) * SECOND;
    return { next: (after) => floor(after, SECOND) + delay };
  } catch (error) {
    if (error instanceof TimeParseError) {
      throw new CronParseError(`failed to parse duration ${text}: ${error.message}`);
    }
    throw error;
  }
}

/** Times whose wall clock matches all fields, at second 0. */
class FieldSchedule implements Schedule {
  readonly #fields: Fields;
  readonly #zone: TimeZone;

  constructor(fields: Fields, zone: TimeZone) {
    this.#fields = fields;
    this.#zone = zone;
  }

  next(after: number): number | undefined {
    if (Object.values(this.#fields).some((field: Field) => field.values.size === 0)) return undefined;
    let time = floor(after, SECOND) + SECOND;
    const lastYear = this.#zone.wallClock(time).getUTCFullYear() + YEARS;
    for (;;) {
      const wallClock = this.#zone.wallClock(time);
      if (wallClock.getUTCFullYear() > lastYear) return undefined;
      const skip = this.#skip(time, wallClock);
      if (skip === time) return time;
      time = skip;
    }
  }

  /**
   * This time if all fields match. Otherwise skips by the largest unit that does not match: to the beginning of the next matching month or day, or
   * of the next hour or minute. So a search takes some steps for each year, at most 24 for the hour, and at most 60 for the minute.
   */
  #skip(time: number, wallClock: Date): number {
    const { month, hour, minute } = this.#fields;
    const [years, months] = [wallClock.getUTCFullYear(), wallClock.getUTCMonth()];
    if (!month.values.has(months + 1)) return this.#midnight(years, this.#monthAfter(months), 1);
    if (!this.#matchesDay(wallClock)) return this.#dayAfter(wallClock);
    // Adds to the time instead of converting a wall clock back: in an hour that a zone repeats, that has two times.
    const minutes = wallClock.getUTCMinutes();
    const intoMinute = wallClock.getUTCSeconds() * SECOND;
    if (!hour.values.has(wallClock.getUTCHours())) return time - minutes * MINUTE - intoMinute + HOUR;
    if (!minute.values.has(minutes) || intoMinute > 0) return time - intoMinute + MINUTE;
    return time;
  }

  /** The next month that matches, from 0; above 11 in the next year. */
  #monthAfter(month: number): number {
    let next = month + 1;
    while (!this.#fields.month.values.has((next % 12) + 1)) next++;
    return next;
  }

  /** The next day of the month that matches, or else the first of the next month. */
  #dayAfter(wallClock: Date): number {
    const [years, months] = [wallClock.getUTCFullYear(), wallClock.getUTCMonth()];
    let date = wallClock.getUTCDate() + 1;
    for (const last = daysOf(years, months); date <= last; date++) {
      if (this.#matchesDay(new Date(Date.UTC(years, months, date)))) break;
    }
    return this.#midnight(years, months, date);
  }

  /** If both the day of the month and the day of the week are restricted, one match is enough. */
  #matchesDay(wallClock: Date): boolean {
    const { dayOfMonth, dayOfWeek } = this.#fields;
    const matchesMonth = dayOfMonth.values.has(wallClock.getUTCDate());
    const matchesWeek = dayOfWeek.values.has(wallClock.getUTCDay());
    return dayOfMonth.isAny || dayOfWeek.isAny ? matchesMonth && matchesWeek : matchesMonth || matchesWeek;
  }

  /** The first full hour of the day: some zones skip midnight, and then this is 1 o'clock. */
  #midnight(year: number, month: number, date: number): number {
    const time = this.#zone.timeOf(Date.UTC(year, month, date));
    const hours = this.#zone.wallClock(time).getUTCHours();
    return hours > 12 ? time + (24 - hours) * HOUR : time;
  }
}

function daysOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
}

function floor(time: number, unit: number): number {
  return Math.floor(time / unit) * unit;
}
