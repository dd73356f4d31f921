import { TimeZone } from '../../time/index.js';
import { EvaluationError } from '../evaluation-error.js';
import { type Overload, overload } from '../overload.js';
import type { Duration, Timestamp } from '../values.js';
import { duration, from, string, timestamp } from './arguments.js';

const MILLISECOND = 1_000_000n;
const SECOND = 1_000_000_000n;
const DAY = 86_400_000;
const OFFSET = /^([+-]?\d{1,2}):(\d{1,2})$/;

/** Parts of a timestamp: name, overload id, and how to read it from a date whose UTC fields are local time. */
const PARTS: readonly (readonly [name: string, id: string, read: (local: Date) => number])[] = [
  ['getFullYear', 'timestamp_to_year', (local) => local.getUTCFullYear()],
  ['getMonth', 'timestamp_to_month', (local) => local.getUTCMonth()],
  ['getDayOfYear', 'timestamp_to_day_of_year', dayOfYear],
  ['getDayOfMonth', 'timestamp_to_day_of_month', (local) => local.getUTCDate() - 1],
  ['getDate', 'timestamp_to_day_of_month_1_based', (local) => local.getUTCDate()],
  ['getDayOfWeek', 'timestamp_to_day_of_week', (local) => local.getUTCDay()],
  ['getHours', 'timestamp_to_hours', (local) => local.getUTCHours()],
  ['getMinutes', 'timestamp_to_minutes', (local) => local.getUTCMinutes()],
  ['getSeconds', 'timestamp_to_seconds', (local) => local.getUTCSeconds()],
  ['getMilliseconds', 'timestamp_to_milliseconds', (local) => local.getUTCMilliseconds()],
];

const DURATIONS: readonly (readonly [name: string, id: string, read: (span: Duration) => bigint])[] = [
  ['getHours', 'duration_to_hours', (span) => span.nanoseconds / 3_600_000_000_000n],
  ['getMinutes', 'duration_to_minutes', (span) => span.nanoseconds / 60_000_000_000n],
  ['getSeconds', 'duration_to_seconds', (span) => span.nanoseconds / SECOND],
  ['getMilliseconds', 'duration_to_milliseconds', (span) => span.nanoseconds / MILLISECOND],
];

/**
 * Parts of timestamps, in UTC or in a zone (`Europe/Berlin`, `+02:00`), and of durations. Upstream: cel-go
 * `common/stdlib/standard.go`.
 */
export const TIMESTAMPS: readonly Overload[] = [
  ...PARTS.flatMap(([name, id, read]) => [
    overload(
      name,
      id,
      'timestamp.() -> int',
      from(timestamp)((moment) => BigInt(read(dateOf(moment, 0)))),
    ),
    overload(
      name,
      // This overload id of upstream does not follow the pattern.
      name === 'getSeconds' ? 'timestamp_to_seconds_tz' : `${id}_with_tz`,
      'timestamp.(string) -> int',
      from(timestamp, string)((moment, zone) => BigInt(read(dateOf(moment, zoneOffset(moment, zone))))),
    ),
  ]),
  ...DURATIONS.map(([name, id, read]) => overload(name, id, 'duration.() -> int', from(duration)(read))),
];

/** RFC 3339 in the timestamp's own zone, with only the significant digits of the fraction. */
export function formatTimestamp(moment: Timestamp): string {
  const date = dateOf(moment, moment.offset * 1000);
  // A zone may move the year to 0 or 10000.
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  const text = `${year}${date.toISOString().slice(-20, -5)}`;
  const fraction = (((moment.nanoseconds % SECOND) + SECOND) % SECOND).toString();
  const digits = fraction.padStart(9, '0').replace(/0+$/, '');
  return `${text}${digits === '' ? '' : `.${digits}`}${zoneText(moment.offset)}`;
}

function zoneText(offset: number): string {
  if (offset === 0) return 'Z';
  const minutes = Math.abs(offset) / 60;
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** In seconds, never with an exponent: `1.5s`. Upstream: cel-go `Duration.ConvertToType`. */
export function formatDurationSeconds({ nanoseconds }: Duration): string {
  const seconds = Number(nanoseconds / SECOND) + Number(nanoseconds % SECOND) / 1e9;
  const text = String(seconds);
  return `${text.includes('e') ? seconds.toFixed(9).replace(/0+$/, '') : text}s`;
}

/** A date whose UTC fields show local time; `offset` is in milliseconds. */
function dateOf(moment: Timestamp, offset: number): Date {
  return new Date(floorMilliseconds(moment) + offset);
}

function floorMilliseconds({ nanoseconds }: Timestamp): number {
  const milliseconds = Number(nanoseconds / MILLISECOND);
  return nanoseconds % MILLISECOND < 0n ? milliseconds - 1 : milliseconds;
}

function dayOfYear(local: Date): number {
  const first = new Date(0);
  first.setUTCFullYear(local.getUTCFullYear(), 0, 1);
  return Math.floor((local.getTime() - first.getTime()) / DAY);
}

/** The offset of a zone, by name or difference, at that moment: milliseconds east of UTC. */
function zoneOffset(moment: Timestamp, zone: string): number {
  const numeric = OFFSET.exec(zone);
  if (numeric !== null) {
    const [, hours = '', minutes = ''] = numeric;
    if (Number(minutes) > 59) throw new EvaluationError(`timezone offset minutes out of range [0, 59]: ${zone}`);
    const sign = hours.startsWith('-') ? -1 : 1;
    return sign * (Math.abs(Number(hours)) * 60 + Number(minutes)) * 60_000;
  }
  const named = TimeZone.of(zone);
  if (named === undefined) throw new EvaluationError(`unknown time zone ${zone}`);
  return named.offsetAt(floorMilliseconds(moment));
}
