import { quoteTimeText, TimeParseError } from './errors.js';

const SECONDS_LAYOUT = '2006-01-02T15:04:05Z07:00';
const MICRO_LAYOUT = '2006-01-02T15:04:05.000000Z07:00';
/** 0001-01-01T00:00:00Z, Go's zero time. */
const ZERO_TIME_SECONDS = -62_135_596_800;
const MICROS_PER_SECOND = 1_000_000;

/** A point in time. */
export interface Timestamp {
  /** Whole seconds since the epoch, rounded down. */
  readonly seconds: number;
  /** 0 to 999999999. */
  readonly nanoseconds: number;
  /** The offset of the zone in which it was written, in seconds east of UTC. */
  readonly offset: number;
}

/**
 * Parses RFC 3339 as `metav1.Time` does: the fraction is optional, the offset is required. Throws {@link
 * TimeParseError}.
 */
export function parseTimestamp(text: string): Timestamp {
  return canonical(text, 0) ?? new TimeParser(text, SECONDS_LAYOUT).parse();
}

/** Parses as `metav1.MicroTime` does: exactly six fractional digits. Throws {@link TimeParseError}. */
export function parseMicroTimestamp(text: string): Timestamp {
  return canonical(text, 6) ?? new TimeParser(text, MICRO_LAYOUT).parse();
}

const NO_FRACTION = '2006-01-02T15:04:05'.length;

/** Parses a time in canonical form; undefined for any other text, valid or not. Much faster than {@link TimeParser}. */
function canonical(text: string, fractionDigits: 0 | 6): Timestamp | undefined {
  const zone = fractionDigits === 0 ? NO_FRACTION : NO_FRACTION + 1 + fractionDigits;
  if (text.length !== zone + 1 || text.charCodeAt(zone) !== 0x5a) return undefined;
  if (text.charCodeAt(4) !== 0x2d || text.charCodeAt(7) !== 0x2d || text.charCodeAt(10) !== 0x54) return undefined;
  if (text.charCodeAt(13) !== 0x3a || text.charCodeAt(16) !== 0x3a) return undefined;
  if (fractionDigits !== 0 && text.charCodeAt(NO_FRACTION) !== 0x2e) return undefined;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 7);
  const day = digits(text, 8, 10);
  const hour = digits(text, 11, 13);
  const minute = digits(text, 14, 16);
  const second = digits(text, 17, 19);
  const micros = digits(text, NO_FRACTION + 1, zone);
  // Comparisons with NaN are false.
  const isTime = year >= 0 && hour < 24 && minute < 60 && second < 60 && micros >= 0;
  if (!isTime || !(month >= 1 && month <= 12 && day >= 1 && day <= daysIn(month, year))) return undefined;
  return { seconds: secondsOf(year, month, day, hour, minute, second), nanoseconds: micros * 1000, offset: 0 };
}

/** `Date.UTC` maps years below 100 to the 20th century. The calendar repeats after this many years. */
const CYCLE_YEARS = 400;
const CYCLE_SECONDS = 146_097 * 86_400;

function secondsOf(year: number, month: number, day: number, hour: number, minute: number, second: number): number {
  return Date.UTC(year + CYCLE_YEARS, month - 1, day, hour, minute, second) / 1000 - CYCLE_SECONDS;
}

/** NaN unless all characters are digits. */
function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** Milliseconds since the epoch of a `metav1.Time`. Throws {@link TimeParseError}. */
export function parseTime(text: string): number {
  return milliseconds(parseTimestamp(text));
}

/** Milliseconds since the epoch of a `metav1.MicroTime`, truncated. Throws {@link TimeParseError}. */
export function parseMicroTime(text: string): number {
  return milliseconds(parseMicroTimestamp(text));
}

function milliseconds(time: Timestamp): number {
  return time.seconds * 1000 + Math.trunc(time.nanoseconds / 1_000_000);
}

/** Formats a `metav1.Time`: `2026-01-02T03:04:05Z`. */
export function formatTime(epochMilliseconds: number): string {
  return `${formatSeconds(Math.floor(epochMilliseconds / 1000))}Z`;
}

/** Formats a `metav1.MicroTime`: `2026-01-02T03:04:05.678000Z`. */
export function formatMicroTime(epochMilliseconds: number): string {
  const seconds = Math.floor(epochMilliseconds / 1000);
  const micros = Math.floor((epochMilliseconds - seconds * 1000) * 1000);
  return formatMicros(seconds, micros);
}

/** The seconds whose year in UTC has four digits. No text of another time can be parsed again. */
const FIRST_SECOND = -62_167_219_200;
const LAST_SECOND = 253_402_300_799;

/** The nearest second of which {@link formatTime} gives a text that {@link parseTime} accepts. */
export function nearestRepresentable(seconds: number): number {
  return Math.min(Math.max(seconds, FIRST_SECOND), LAST_SECOND);
}

/**
 * Normalizes a `metav1.Time` to UTC and whole seconds; undefined if the result is Go's zero time. Throws {@link
 * TimeParseError}. Unlike upstream, it refuses a year that has four digits only in its own zone, because no one could
 * parse the result.
 */
export function normalizeTime(text: string): string | undefined {
  const { seconds } = requireRepresentable(parseTimestamp(text), text);
  return seconds === ZERO_TIME_SECONDS ? undefined : `${formatSeconds(seconds)}Z`;
}

/** The same for a `metav1.MicroTime`. */
export function normalizeMicroTime(text: string): string | undefined {
  const { seconds, nanoseconds } = requireRepresentable(parseMicroTimestamp(text), text);
  const isZero = seconds === ZERO_TIME_SECONDS && nanoseconds === 0;
  return isZero ? undefined : formatMicros(seconds, Math.trunc(nanoseconds / 1000));
}

/**
 * The same for a stored time: one that no one can parse, because its year has no four digits, becomes the nearest that
 * anyone can. Older versions stored such times.
 */
export function normalizeStoredTime(text: string): string | undefined {
  const nearest = nearestSecond(text);
  return nearest === undefined ? normalizeTime(text) : `${formatSeconds(nearest)}Z`;
}

/** {@link normalizeStoredTime} for a `metav1.MicroTime`. */
export function normalizeStoredMicroTime(text: string): string | undefined {
  const nearest = nearestSecond(text);
  return nearest === undefined ? normalizeMicroTime(text) : formatMicros(nearest, 0);
}

function nearestSecond(text: string): number | undefined {
  if (/^[0-9]{5,}-/.test(text)) return LAST_SECOND;
  return text.startsWith('-') ? FIRST_SECOND : undefined;
}

function requireRepresentable(time: Timestamp, text: string): Timestamp {
  if (time.seconds === nearestRepresentable(time.seconds)) return time;
  throw new TimeParseError(`parsing time ${quoteTimeText(text)}: year outside of range [0,9999]`);
}

function formatMicros(seconds: number, micros: number): string {
  return `${formatSeconds(seconds)}.${String(MICROS_PER_SECOND + micros).slice(1)}Z`;
}

let lastSecond = Number.NaN;
let lastText = '';

/** Keeps the last text, because a busy server formats one second many times. */
function formatSeconds(seconds: number): string {
  if (seconds !== lastSecond) {
    lastText = textOfSecond(seconds);
    lastSecond = seconds;
  }
  return lastText;
}

function textOfSecond(seconds: number): string {
  const date = new Date(seconds * 1000);
  const year = date.getUTCFullYear();
  const text = `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}`;
  return `${text}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}T${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysIn(month: number, year: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : (DAYS_IN_MONTH[month - 1] ?? 0);
}

/** Parses along one of two layouts, and fails at the same place and with the same message as Go. */
class TimeParser {
  readonly #text: string;
  readonly #layout: string;
  #rest: string;

  constructor(text: string, layout: string) {
    this.#text = text;
    this.#layout = layout;
    this.#rest = text;
  }

  parse(): Timestamp {
    const year = this.#year();
    this.#literal('-');
    const month = this.#two('01');
    if (month < 1 || month > 12) this.#outOfRange('month');
    this.#literal('-');
    const day = this.#two('02');
    this.#literal('T');
    const hour = this.#hour();
    this.#literal(':');
    const minute = this.#two('04');
    if (minute >= 60) this.#outOfRange('minute');
    this.#literal(':');
    const second = this.#two('05');
    if (second >= 60) this.#outOfRange('second');
    const nanoseconds = this.#layout === MICRO_LAYOUT ? this.#sixDigits() : this.#anyFraction();
    const offset = this.#offset();
    if (this.#rest !== '') this.#fail(`: extra text: ${quoteTimeText(this.#rest)}`);
    if (day < 1 || day > daysIn(month, year)) this.#outOfRange('day');
    return { seconds: secondsOf(year, month, day, hour, minute, second) - offset, nanoseconds, offset };
  }

  #year(): number {
    const digits = this.#rest.slice(0, 4);
    if (!/^[0-9]{4}$/.test(digits)) this.#bad('2006');
    this.#rest = this.#rest.slice(4);
    return Number(digits);
  }

  #literal(literal: string): void {
    if (!this.#rest.startsWith(literal)) this.#bad(literal);
    this.#rest = this.#rest.slice(literal.length);
  }

  #two(element: string): number {
    const digits = this.#rest.slice(0, 2);
    if (!/^[0-9]{2}$/.test(digits)) this.#bad(element);
    this.#rest = this.#rest.slice(2);
    return Number(digits);
  }

  /** One or two digits: Go's layout `15` accepts both. */
  #hour(): number {
    const digits = /^[0-9]{1,2}/.exec(this.#rest)?.[0] ?? this.#bad('15');
    this.#rest = this.#rest.slice(digits.length);
    if (Number(digits) >= 24) this.#outOfRange('hour');
    return Number(digits);
  }

  /** A fraction that the layout does not require: any number of digits, of which nine count. */
  #anyFraction(): number {
    const fraction = /^[.,][0-9]+/.exec(this.#rest)?.[0];
    if (fraction === undefined) return 0;
    this.#rest = this.#rest.slice(fraction.length);
    return Number(fraction.slice(1, 10).padEnd(9, '0'));
  }

  #sixDigits(): number {
    const fraction = /^[.,][+-]?[0-9]+/.exec(this.#rest.slice(0, 7))?.[0];
    if (fraction?.length !== 7) return this.#bad('.000000');
    this.#rest = this.#rest.slice(7);
    const micros = Number(fraction.slice(1));
    if (micros < 0) this.#outOfRange('fractional second');
    return micros * 1000;
  }

  /** Seconds east of UTC. Go accepts offsets of 24 hours and of 60 minutes. */
  #offset(): number {
    if (this.#rest.startsWith('Z')) {
      this.#rest = this.#rest.slice(1);
      return 0;
    }
    const match = /^(.)([0-9]{2}):([0-9]{2})/su.exec(this.#rest);
    if (match === null) return this.#bad('Z07:00');
    const [whole, sign, hourText, minuteText] = match;
    const hours = Number(hourText);
    const minutes = Number(minuteText);
    if (minutes > 60) this.#outOfRange('time zone offset minute');
    if (hours > 24) this.#outOfRange('time zone offset hour');
    if (sign !== '+' && sign !== '-') this.#bad('Z07:00');
    this.#rest = this.#rest.slice(whole.length);
    return (sign === '-' ? -1 : 1) * (hours * 60 + minutes) * 60;
  }

  #bad(element: string): never {
    return this.#fail(
      ` as ${quoteTimeText(this.#layout)}: cannot parse ${quoteTimeText(this.#rest)} as ${quoteTimeText(element)}`,
    );
  }

  #outOfRange(what: string): never {
    return this.#fail(`: ${what} out of range`);
  }

  #fail(message: string): never {
    throw new TimeParseError(`parsing time ${quoteTimeText(this.#text)}${message}`);
  }
}
