import { quoteTimeText, TimeParseError } from './errors.js';

const MAX = 2n ** 63n;

const units: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['\u00b5s', 1_000n],
  ['\u03bcs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

/** Parses Go's duration format, `1h30m`, `1.5s`, `-2us`, to nanoseconds. Throws {@link TimeParseError}. */
export function parseDuration(text: string): bigint {
  const negative = text.startsWith('-');
  let rest = negative || text.startsWith('+') ? text.slice(1) : text;
  if (rest === '0') return 0n;
  if (rest === '') throw invalid(text);
  let total = 0n;
  while (rest !== '') {
    const match = /^([0-9]*)(?:\.([0-9]*))?/.exec(rest);
    const whole = match?.[1] ?? '';
    const fraction = match?.[2] ?? '';
    if (match === null || whole + fraction === '') throw invalid(text);
    const value = clampedInteger(whole);
    if (value > MAX) throw invalid(text);
    const unitText = /^[^.0-9]*/.exec(rest.slice(match[0].length))?.[0] ?? '';
    if (unitText === '') throw new TimeParseError(`time: missing unit in duration ${quoteTimeText(text)}`);
    const unit = units.get(unitText);
    if (unit === undefined) {
      throw new TimeParseError(`time: unknown unit ${quoteTimeText(unitText)} in duration ${quoteTimeText(text)}`);
    }
    total += value * unit + fractionOf(fraction, unit);
    if (total > MAX) throw invalid(text);
    rest = rest.slice(match[0].length + unitText.length);
  }
  if (!negative && total === MAX) throw invalid(text);
  return negative ? -total : total;
}

function invalid(text: string): TimeParseError {
  return new TimeParseError(`time: invalid duration ${quoteTimeText(text)}`);
}

/** More than 19 significant digits overflow; an exact conversion would take quadratic time. */
function clampedInteger(digits: string): bigint {
  const significant = digits.replace(/^0+/, '');
  return significant.length > 19 ? MAX + 1n : BigInt(significant === '' ? 0 : significant);
}

/** Go computes the fraction in doubles. This does too, so that the last nanosecond agrees. */
function fractionOf(digits: string, unit: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits.slice(0, 32)) {
    const next = value * 10n + BigInt(digit);
    if (value > (MAX - 1n) / 10n || next > MAX) break;
    value = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}

/** Formats a duration as Go does: `1h30m0s`, `1.5s`, `0s`, `2ms`, `3µs`. */
export function formatDuration(nanoseconds: bigint): string {
  const sign = nanoseconds < 0n ? '-' : '';
  const absolute = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (absolute === 0n) return '0s';
  if (absolute < 1_000n) return `${sign}${absolute}ns`;
  if (absolute < 1_000_000n) return `${sign}${decimal(absolute, 3)}\u00b5s`;
  if (absolute < 1_000_000_000n) return `${sign}${decimal(absolute, 6)}ms`;
  const minutes = absolute / 60_000_000_000n;
  const seconds = `${decimal(absolute % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return sign + seconds;
  const hours = minutes / 60n;
  return hours === 0n ? `${sign}${minutes}m${seconds}` : `${sign}${hours}h${minutes % 60n}m${seconds}`;
}

function decimal(value: bigint, places: number): string {
  const text = value.toString().padStart(places + 1, '0');
  const fraction = text.slice(-places).replace(/0+$/, '');
  const whole = text.slice(0, -places);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
