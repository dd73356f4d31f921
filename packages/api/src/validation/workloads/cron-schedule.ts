import { quoteGo } from '@binnacle/apimachinery/status';

/** Validates five-field cron schedules with the messages of the library that upstream uses. */
interface FieldBounds {
  readonly low: number;
  readonly high: number;
  readonly names: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const bounds: readonly FieldBounds[] = [
  { low: 0, high: 59, names: [] },
  { low: 0, high: 23, names: [] },
  { low: 1, high: 31, names: [] },
  { low: 1, high: 12, names: months },
  { low: 0, high: 6, names: days },
];
const descriptors: ReadonlySet<string> = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]);
const durationExpression = /^[-+]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+$/;

/** The reason why the schedule is invalid; undefined if it is valid. Upstream: robfig/cron `ParseStandard`. */
export function cronScheduleProblem(schedule: string): string | undefined {
  if (schedule === '') return 'empty spec string';
  const zone = /^(?:TZ|CRON_TZ)=(\S*)\s*(.*)$/s.exec(schedule);
  if (zone !== null) {
    const name = zone[1] ?? '';
    if (!isTimeZone(name)) return `provided bad location ${name}: unknown time zone ${name}`;
  }
  const text = (zone === null ? schedule : (zone[2] ?? '')).trim();
  if (text.startsWith('@')) return descriptorProblem(text);
  const fields = text.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== bounds.length) {
    return `expected exactly ${bounds.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  }
  for (const [index, bound] of bounds.entries()) {
    const problem = fieldProblem(fields[index] ?? '', bound);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

export function isTimeZone(name: string): boolean {
  if (name === '' || name === 'UTC' || name === 'Local') return true;
  try {
    // Intl throws for an unknown name. It accepts offsets, which are not names.
    return new Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat && !/^[+-]/.test(name);
  } catch {
    return false;
  }
}

function descriptorProblem(text: string): string | undefined {
  if (descriptors.has(text)) return undefined;
  if (!text.startsWith('@every ')) return `unrecognized descriptor: ${text}`;
  const duration = text.slice('@every '.length);
  if (duration === '0' || durationExpression.test(duration)) return undefined;
  return `failed to parse duration ${text}: time: invalid duration ${quoteGo(duration)}`;
}

function fieldProblem(field: string, bound: FieldBounds): string | undefined {
  for (const expression of field.split(',')) {
    if (expression === '') continue;
    const problem = rangeProblem(expression, bound);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function rangeProblem(expression: string, bound: FieldBounds): string | undefined {
  const [range = '', step, ...moreSteps] = expression.split('/');
  const [lowText = '', highText, ...moreBounds] = range.split('-');
  let start = bound.low;
  let end = bound.high;
  if (lowText !== '*' && lowText !== '?') {
    const low = readNumber(lowText, bound.names);
    if (typeof low === 'string') return low;
    if (moreBounds.length > 0) return `too many hyphens: ${expression}`;
    const high = highText === undefined ? low : readNumber(highText, bound.names);
    if (typeof high === 'string') return high;
    start = low;
    end = highText === undefined && step !== undefined ? bound.high : high;
  }
  if (moreSteps.length > 0) return `too many slashes: ${expression}`;
  const every = step === undefined ? 1 : readNumber(step, []);
  if (typeof every === 'string') return every;
  if (start < bound.low) return `beginning of range (${start}) below minimum (${bound.low}): ${expression}`;
  if (end > bound.high) return `end of range (${end}) above maximum (${bound.high}): ${expression}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${expression}`;
  return every === 0 ? `step of range should be a positive number: ${expression}` : undefined;
}

function readNumber(text: string, names: readonly string[]): number | string {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return names === months ? named + 1 : named;
  if (!/^[-+]?[0-9]+$/.test(text)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${quoteGo(text)}: invalid syntax`;
  }
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${quoteGo(text)}: value out of range`;
  }
  return value < 0 ? `negative number (${value}) not allowed: ${text}` : value;
}
