import { formatFloat, sortedInSteps } from '../../json/index.js';
import { quoteGo } from '../../status/index.js';
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
import { clausesOf } from './format-clauses.js';
import { fixedText, groupedText, scientificText } from './doubles-as-text.js';
import { checkLength } from './longest-text.js';
import { formatTimestamp, formatDurationSeconds } from './timestamps.js';

const DEFAULT_PRECISION = 6;
/** Upstream keeps the precision in a byte, and the width in two. */
const PRECISIONS = 2 ** 8;
const WIDTHS = 2 ** 16;

/** About a millisecond of formatting. */
const VALUES_PER_STEP = 2000;
/** Formatting this many characters takes as long as formatting one value. */
const CHARACTERS_PER_VALUE = 50;
/** More than a request can hold. A list can contain the same list many times, so it can have more values than fit in memory. */
const MOST_VALUES = 2_000_000;

/** `'%s has %d'.format([name, count])`. Upstream: cel-go `ext/formatting.go`. */
export function* formatText(template: string, values: ListValue): Steps<string> {
  const output = new Output();
  let used = 0;
  let end = 0;
  for (const clause of clausesOf(template)) {
    output.add(template.slice(end, clause.start));
    end = clause.end;
    if (clause.verb === '%') output.add('%');
    else {
      const value = used < values.size ? values.at(used) : undefined;
      if (value === undefined) throw new EvaluationError(`index ${used} out of range`);
      used++;
      const { verb, precision, problem } = clause;
      if (problem !== undefined) throw new EvaluationError(problem);
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

function formatClause(verb: string, precision: number | undefined, value: Value): string {
  switch (verb) {
    case 'd':
      return showDecimal(value);
    case 'f':
      return groupedText(doubleOf(value, 'fixed-point'), (precision ?? DEFAULT_PRECISION) % PRECISIONS);
    case 'e':
      return scientificText(doubleOf(value, 'scientific'), (precision ?? DEFAULT_PRECISION) % WIDTHS);
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      return showInteger(value, 2, onlyAs('integers and bools', 'binary', value));
    case 'o':
      return showInteger(value, 8, unsupported('octal', 'integers', value));
    case 'x':
      return showHex(value);
    default:
      return showHex(value).toUpperCase();
  }
}

function unsupported(clause: string, types: string, value: Value): EvaluationError {
  return new EvaluationError(
    `error during formatting: ${clause} clause can only be used on ${types}, was given ${typeNameOf(value)}`,
  );
}

function onlyAs(types: string, clause: string, value: Value): EvaluationError {
  return new EvaluationError(
    `error during formatting: only ${types} can be formatted as ${clause}, was given ${typeNameOf(value)}`,
  );
}

function showInteger(value: Value, radix: number, otherwise: EvaluationError): string {
  if (typeof value === 'bigint') return value.toString(radix);
  if (value instanceof UnsignedInteger) return value.value.toString(radix);
  throw otherwise;
}

function showHex(value: Value): string {
  if (typeof value === 'string' || value instanceof Uint8Array) return Buffer.from(value as string).toString('hex');
  return showInteger(value, 16, onlyAs('integers, byte buffers, and strings', 'hex', value));
}

function doubleOf(value: Value, clause: string): number {
  const special = value === 'NaN' || value === 'Infinity' || value === '-Infinity' ? Number(value) : value;
  if (typeof special !== 'number') throw unsupported(clause, 'doubles', value);
  return special;
}

function showDecimal(value: Value): string {
  return showInteger(value, 10, unsupported('decimal', 'integers', value));
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
  if (typeof value === 'string') return quoteGo(value);
  if (value instanceof Uint8Array) return `b${quoteGo(Buffer.from(value).toString())}`;
  if (value instanceof Timestamp) return `timestamp("${showScalar(value)}")`;
  if (value instanceof Duration) return `duration("${showScalar(value)}")`;
  if (typeof value === 'number')
    return Number.isFinite(value) ? fixedText(value, DEFAULT_PRECISION) : `"${formatFloat(value)}"`;
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
