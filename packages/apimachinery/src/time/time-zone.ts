import { isTimeZoneName } from './time-zone-names.js';

/** Since this time, the offset from UTC changes at multiples of the bucket only, in all zones. */
const BUCKETS_SINCE = Date.UTC(1973, 0);
const BUCKET_MILLISECONDS = 15 * 60_000;

/** By name. A format takes 25 KB and long to create. Only IANA's spelling of a name is valid, so there is one format for each name. */
const zones = new Map<string, TimeZone>();

/** The dates and times of day of a time zone. Times are milliseconds since the epoch. */
export class TimeZone {
  readonly #format: Intl.DateTimeFormat | undefined;
  #bucket = NaN;
  #offset = 0;

  /** Undefined is UTC. */
  private constructor(format: Intl.DateTimeFormat | undefined) {
    this.#format = format;
  }

  /**
   * Undefined for an unknown name. Names have IANA's case. Empty is UTC, and `Local` the zone of this process, as in
   * Go.
   */
  static of(name: string): TimeZone | undefined {
    const known = zones.get(name);
    if (known !== undefined) return known;
    const zone = name === '' || name === 'UTC' ? new TimeZone(undefined) : TimeZone.#fromIntl(name);
    if (zone !== undefined) zones.set(name, zone);
    return zone;
  }

  static #fromIntl(name: string): TimeZone | undefined {
    // Intl ignores the case of names and accepts offsets and old names, none of which Go does.
    if (name !== 'Local' && !isTimeZoneName(name)) return undefined;
    try {
      const format = formatOf(name === 'Local' ? undefined : name);
      return new TimeZone(format.resolvedOptions().timeZone === 'UTC' ? undefined : format);
    } catch {
      return undefined;
    }
  }

  /** The wall clock at this time, as a date whose UTC fields are the zone's. */
  wallClock(time: number): Date {
    return new Date(time + this.offsetAt(time));
  }

  /** The time at which the wall clock shows this. In the hour that a zone skips or repeats it is one of the two candidates, Go's choice. */
  timeOf(wallClock: number): number {
    const guess = this.offsetAt(wallClock);
    return wallClock - (guess === 0 ? 0 : this.offsetAt(wallClock - guess));
  }

  /** Milliseconds east of UTC. */
  offsetAt(time: number): number {
    if (this.#format === undefined) return 0;
    if (time < BUCKETS_SINCE) return measure(this.#format, time);
    const bucket = Math.floor(time / BUCKET_MILLISECONDS);
    if (bucket !== this.#bucket) {
      this.#bucket = bucket;
      this.#offset = measure(this.#format, bucket * BUCKET_MILLISECONDS);
    }
    return this.#offset;
  }

  /** RFC 3339 with the zone's offset: `2026-01-02T03:04:05+09:00`. */
  format(time: number): string {
    const wallClock = this.wallClock(time).toISOString().slice(0, 19);
    const offset = this.offsetAt(time) / 60_000;
    if (offset === 0) return `${wallClock}Z`;
    const minutes = Math.abs(offset);
    return `${wallClock}${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
  }
}

/** Throws a RangeError for an unknown name. Undefined is the zone of this process. */
function formatOf(timeZone: string | undefined): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    ...(timeZone === undefined ? {} : { timeZone }),
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}

function measure(format: Intl.DateTimeFormat, time: number): number {
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
  const field = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
  const wallClock = new Date(0);
  // Not Date.UTC, to which the year 99 is 1999.
  wallClock.setUTCFullYear(
    parts.get('era') === 'BC' ? 1 - field('year') : field('year'),
    field('month') - 1,
    field('day'),
  );
  wallClock.setUTCHours(field('hour'), field('minute'), field('second'));
  return wallClock.getTime() - Math.floor(time / 1000) * 1000;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
