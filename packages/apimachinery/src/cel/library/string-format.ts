import { formatFloat, sortedInSteps } from '../../json/index.js';
import type { Steps } from '../../work/index.js';
import { CostLimitError, EvaluationError } from '../evaluation-error.js';
import {
  Duration,
  ListValue,
  MapValue,
  Timestamp,
  TypeValue,
  typeNameOf,
  UnsignedInteger,
  type Value,
} from '../values.js';
import { checkLength } from './longest-text.js';
import { formatTimestamp, formatDurationSeconds } from './timestamps.js';

const CLAUSE = /%(?:(%)|(?:\.(\d{1,3}))?([a-zA-Z]))?/g;
const DEFAULT_PRECISION = 6;
const MOST_DIGITS = 100;

/** About a millisecond of formatting. */
const VALUES_PER_STEP = 2000;
/** As much work as a value. */
const CHARACTERS_PER_VALUE = 50;
/** More than a request can hold. A list can contain the same list many times, so it can have more values than fit in memory. */
const MOST_VALUES = 2_000_000;

/**
 * `'%s has %d'.format([name, count])`. Calls `formatting` with the index of each value. Upstream: cel-go
 * `ext/formatting.go`.
 */
export function* formatText(template: string, values: ListValue, formatting?: (index: number) => void): Steps<string> {
  const output = new Output();
  let used = 0;
  let end = 0;
  for (const clause of template.matchAll(CLAUSE)) {
    const [whole, percent, digits, verb] = clause;
    output.add(template.slice(end, clause.index));
    end = clause.index + whole.length;
    if (percent !== undefined) output.add('%');
    else {
      if (verb === undefined) throw new EvaluationError('could not parse formatting clause: unexpected end of string');
      const value = used < values.size ? values.at(used) : undefined;
      if (value === undefined) throw new EvaluationError(`index ${used} out of range`);
      formatting?.(used);
      used++;
      const precision = digits === undefined ? DEFAULT_PRECISION : Math.min(Number(digits), MOST_DIGITS);
      if (verb !== 's') output.add(formatClause(verb, precision, value));
      else if (isNested(value)) yield* showNested(value, output);
      else output.add(showScalar(value));
    }
    if (output.endsStep()) yield;
  }
  output.add(template.slice(end));
  return output.text();
}

/** The text so far. */
class Output {
  /** The text of the steps before. */
  readonly #texts: string[] = [];
  #parts: string[] = [];
  #length = 0;
  #values = 0;
  /** The work since the last step, in values. */
  #sinceStep = 0;

  /** Throws `CostLimitError` when the text is too long. */
  add(part: string): void {
    this.#length += part.length;
    checkLength(this.#length);
    this.#sinceStep += part.length / CHARACTERS_PER_VALUE;
    this.#parts.push(part);
  }

  /** Counts a value. Returns true if a step ends with it, and throws `CostLimitError` after too many. */
  endsStep(): boolean {
    if (++this.#values > MOST_VALUES) throw new CostLimitError();
    if (++this.#sinceStep < VALUES_PER_STEP) return false;
    this.#sinceStep = 0;
    this.#texts.push(this.#parts.join(''));
    this.#parts = [];
    return true;
  }

  text(): string {
    return [...this.#texts, ...this.#parts].join('');
  }
}

function formatClause(verb: string, precision: number, value: Value): string {
  switch (verb) {
    case 'd':
      return showDecimal(value);
    case 'f':
      return showDouble(value, 'fixed-point', (number) => number.toFixed(precision));
    case 'e':
      return showDouble(value, 'scientific', (number) =>
        number.toExponential(precision).replace(/e([+-])(\d)$/, 'e$10$2'),
      );
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      return showInteger(value, 2, 'binary', 'integers and bools');
    case 'o':
      return showInteger(value, 8, 'octal', 'integers');
    case 'x':
      return showHex(value);
    case 'X':
      return showHex(value).toUpperCase();
    default:
      throw new EvaluationError(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
  }
}

function unsupported(clause: string, verbs: string, value: Value): EvaluationError {
  return new EvaluationError(
    `error during formatting: ${clause} clause can only be used on ${verbs}, was given ${typeNameOf(value)}`,
  );
}

function showInteger(value: Value, radix: number, clause: string, verbs: string): string {
  if (typeof value === 'bigint') return value.toString(radix);
  if (value instanceof UnsignedInteger) return value.value.toString(radix);
  throw unsupported(clause, verbs, value);
}

function showHex(value: Value): string {
  if (typeof value === 'string' || value instanceof Uint8Array) return Buffer.from(value as string).toString('hex');
  return showInteger(value, 16, 'hex', 'integers, byte buffers, and strings');
}

function showDouble(value: Value, clause: string, show: (value: number) => string): string {
  const special = value === 'NaN' || value === 'Infinity' || value === '-Infinity' ? Number(value) : value;
  if (typeof special !== 'number') throw unsupported(clause, 'doubles', value);
  if (Number.isNaN(special)) return 'NaN';
  if (!Number.isFinite(special)) return special > 0 ? '∞' : '-∞';
  return show(special);
}

function showDecimal(value: Value): string {
  return showInteger(value, 10, 'decimal', 'integers');
}

function isNested(value: Value): value is ListValue | MapValue {
  return value instanceof ListValue || value instanceof MapValue;
}

function showScalar(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatFloat(value);
  if (typeof value === 'boolean' || value === null) return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDurationSeconds(value);
  if (value instanceof TypeValue) return value.name;
  if (typeof value === 'bigint' || value instanceof UnsignedInteger) return showDecimal(value);
  throw unsupported(
    'string',
    'strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
    value,
  );
}

function* showNested(value: ListValue | MapValue, output: Output): Steps<void> {
  if (value instanceof ListValue) yield* showList(value, output);
  else yield* showMap(value, output);
}

/** Shows a value inside a list or a map. */
function* showInside(value: Value, output: Output): Steps<void> {
  if (isNested(value)) yield* showNested(value, output);
  else output.add(quotedScalar(value));
  if (output.endsStep()) yield;
}

/** Strings inside a list or a map are quoted. */
function quotedScalar(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Uint8Array) return `b${JSON.stringify(Buffer.from(value).toString())}`;
  if (value instanceof Timestamp) return `timestamp("${showScalar(value)}")`;
  if (value instanceof Duration) return `duration("${showScalar(value)}")`;
  if (typeof value === 'number')
    return Number.isFinite(value) ? value.toFixed(DEFAULT_PRECISION) : `"${formatFloat(value)}"`;
  return showScalar(value);
}

function* showList(values: ListValue, output: Output): Steps<void> {
  output.add('[');
  for (let index = 0; index < values.size; index++) {
    if (index > 0) output.add(', ');
    yield* showInside(values.at(index), output);
  }
  output.add(']');
}

/** Shows the entries in the order of their keys as shown. */
function* showMap(values: MapValue, output: Output): Steps<void> {
  const entries: (readonly [shown: string, key: Value])[] = [];
  for (const key of values.unorderedKeys()) {
    entries.push([quotedScalar(key), key]);
    if (entries.length % VALUES_PER_STEP === 0) yield;
  }
  const sorted = yield* sortedInSteps(entries, ([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  output.add('{');
  for (const [index, [shown, key]] of sorted.entries()) {
    output.add(`${index > 0 ? ', ' : ''}${shown}:`);
    yield* showInside(values.get(key) ?? null, output);
  }
  output.add('}');
}
