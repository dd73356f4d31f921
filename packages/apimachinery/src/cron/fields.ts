import { quoteGo } from '../status/index.js';
import { CronParseError } from './cron-parse-error.js';

interface FieldBounds {
  readonly low: number;
  readonly high: number;
  readonly names: readonly string[];
}

/** The values of a field that match. */
export interface Field {
  readonly values: ReadonlySet<number>;
  /** Written as `*` or `?`, and so no restriction of its own. */
  readonly isAny: boolean;
}

export interface Fields {
  readonly minute: Field;
  readonly hour: Field;
  readonly dayOfMonth: Field;
  readonly month: Field;
  readonly dayOfWeek: Field;
}

const months = ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const COUNT = 5;
/** What Go's `unicode.IsSpace` accepts. JavaScript's `\s` differs in two characters. */
const SPACE = /(?:\u0085|(?!\ufeff)\s)+/;
/** Of a signed integer of 64 bits, Go's `int`. */
const MAXIMUM_DIGITS = 19;

/** Parses the five fields. Throws {@link CronParseError} for the first wrong one. */
export function parseFields(text: string): Fields {
  const found = text.split(SPACE).filter((field) => field !== '');
  const [minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek = ''] = found;
  if (found.length !== COUNT) {
    throw new CronParseError(`expected exactly ${COUNT} fields, found ${found.length}: [${found.join(' ')}]`);
  }
  return {
    minute: parseField(minute, { low: 0, high: 59, names: [] }),
    hour: parseField(hour, { low: 0, high: 23, names: [] }),
    dayOfMonth: parseField(dayOfMonth, { low: 1, high: 31, names: [] }),
    month: parseField(month, { low: 1, high: 12, names: months }),
    dayOfWeek: parseField(dayOfWeek, { low: 0, high: 6, names: days }),
  };
}

function parseField(text: string, bounds: FieldBounds): Field {
  const values = new Set<number>();
  let isAny = false;
  // Each once: a schedule may repeat an expression half a million times.
  for (const expression of new Set(text.split(','))) {
    if (expression === '') continue;
    const range = parseRange(expression, bounds);
    for (let value = range.start; value <= range.end; value += range.step) values.add(value);
    isAny ||= range.isAny;
  }
  return { values, isAny };
}

/** Not yet checked against the bounds. */
interface Limits {
  readonly start: bigint;
  readonly end: bigint;
  readonly isAny: boolean;
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  readonly isAny: boolean;
}

/** `low`, `low-high`, `*` or `?`, each with a step or without. */
function parseRange(expression: string, bounds: FieldBounds): Range {
  const [limits = '', stepText, ...moreSteps] = expression.split('/');
  const { start, end, isAny } = parseLimits(limits, stepText !== undefined, expression, bounds);
  if (moreSteps.length > 0) throw new CronParseError(`too many slashes: ${expression}`);
  const step = stepText === undefined ? 1n : parseNumber(stepText, []);
  const { low, high } = bounds;
  if (start < low) throw new CronParseError(`beginning of range (${start}) below minimum (${low}): ${expression}`);
  if (end > high) throw new CronParseError(`end of range (${end}) above maximum (${high}): ${expression}`);
  if (start > end) {
    throw new CronParseError(`beginning of range (${start}) beyond end of range (${end}): ${expression}`);
  }
  if (step === 0n) throw new CronParseError(`step of range should be a positive number: ${expression}`);
  return { start: Number(start), end: Number(end), step: Number(step), isAny: isAny && step === 1n };
}

/** A single number with a step is the start of a range that has no end. */
function parseLimits(text: string, hasStep: boolean, expression: string, { low, high, names }: FieldBounds): Limits {
  const [lowText = '', highText, ...more] = text.split('-');
  if (lowText === '*' || lowText === '?') return { start: BigInt(low), end: BigInt(high), isAny: true };
  const start = parseNumber(lowText, names);
  if (more.length > 0) throw new CronParseError(`too many hyphens: ${expression}`);
  if (highText !== undefined) return { start, end: parseNumber(highText, names), isAny: false };
  return { start, end: hasStep ? BigInt(high) : start, isAny: false };
}

function parseNumber(text: string, names: readonly string[]): bigint {
  const named = text === '' ? -1 : names.indexOf(text.toLowerCase());
  if (named >= 0) return BigInt(named);
  const failure = (why: string) =>
    new CronParseError(`failed to parse int from ${text}: strconv.Atoi: parsing ${quoteGo(text)}: ${why}`);
  if (!/^[-+]?[0-9]+$/.test(text)) throw failure('invalid syntax');
  const value = parseInteger(text);
  if (value === undefined) throw failure('value out of range');
  if (value < 0n) throw new CronParseError(`negative number (${value}) not allowed: ${text}`);
  return value;
}

/** Undefined outside 64 bits. */
function parseInteger(text: string): bigint | undefined {
  const digits = text.replace(/^[-+]?0*/, '');
  if (digits.length > MAXIMUM_DIGITS) return undefined;
  const value = text.startsWith('-') ? -BigInt(digits) : BigInt(digits);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
