import type { Steps } from '../../work/index.js';
import { EvaluationError } from '../evaluation-error.js';
import { longOverload, type Overload, overload } from '../overload.js';
import { ListValue } from '../values.js';
import { from, int, list, string } from './arguments.js';
import { countCodePoints, unitIndexOf } from './code-points.js';
import { displayValue } from './display.js';
import { checkLength } from './longest-text.js';
import { indexOfText, lastIndexOfText, splitText } from './search.js';
import { endOfPoints, sliced, UNITS_PER_STEP } from './sliced.js';
import { formatText } from './string-format.js';

const text = from(string);
const textAndInt = from(string, int);
const texts = from(string, string);
const textsAndInt = from(string, string, int);

/** Positions count code points. Upstream: cel-go `ext/strings.go`, version 2. */
export const STRINGS: readonly Overload[] = [
  overload('charAt', 'string_char_at_int', 'string.(int) -> string', textAndInt(charAt)),
  longOverload('indexOf', 'string_index_of_string', 'string.(string) -> int', {
    steps: texts((all, part) => indexOf(all, part, 0n)),
  }),
  longOverload('indexOf', 'string_index_of_string_int', 'string.(string, int) -> int', { steps: textsAndInt(indexOf) }),
  longOverload('lastIndexOf', 'string_last_index_of_string', 'string.(string) -> int', {
    steps: texts((all, part) => lastIndexOf(all, part)),
  }),
  longOverload('lastIndexOf', 'string_last_index_of_string_int', 'string.(string, int) -> int', {
    steps: textsAndInt(lastIndexOf),
  }),
  longOverload('lowerAscii', 'string_lower_ascii', 'string.() -> string', {
    steps: text((all) => sliced(all, lowerAscii)),
  }),
  longOverload('upperAscii', 'string_upper_ascii', 'string.() -> string', {
    steps: text((all) => sliced(all, upperAscii)),
  }),
  overload('trim', 'string_trim', 'string.() -> string', text(trim)),
  longOverload('replace', 'string_replace_string_string', 'string.(string, string) -> string', {
    steps: from(string, string, string)((all, old, next) => replace(all, old, next, -1n)),
  }),
  longOverload('replace', 'string_replace_string_string_int', 'string.(string, string, int) -> string', {
    steps: from(string, string, string, int)(replace),
  }),
  longOverload('split', 'string_split_string', 'string.(string) -> list(string)', {
    steps: texts((all, separator) => split(all, separator, -1n)),
  }),
  longOverload('split', 'string_split_string_int', 'string.(string, int) -> list(string)', {
    steps: textsAndInt(split),
  }),
  overload(
    'substring',
    'string_substring_int',
    'string.(int) -> string',
    textAndInt((all, start) => substring(all, start)),
  ),
  overload('substring', 'string_substring_int_int', 'string.(int, int) -> string', from(string, int, int)(substring)),
  overload(
    'join',
    'list_join',
    'list(string).() -> string',
    from(list)((values) => join(values, '')),
  ),
  overload('join', 'list_join_string', 'list(string).(string) -> string', from(list, string)(join)),
  longOverload('format', 'string_format', 'string.(list(dyn)) -> string', {
    isLong: () => true,
    steps: from(string, list)((template, values) => formatText(template, values)),
  }),
  longOverload('strings.quote', 'strings_quote', '(string) -> string', { steps: text(quote) }),
];

function outOfRange(index: bigint): EvaluationError {
  return new EvaluationError(`index out of range: ${index}`);
}

function charAt(all: string, index: bigint): string {
  if (index < 0n || index > countCodePoints(all)) throw outOfRange(index);
  const unit = unitIndexOf(all, Number(index));
  return unit < all.length ? String.fromCodePoint(all.codePointAt(unit) ?? 0) : '';
}

function pointIndex(all: string, unit: number): bigint {
  return unit < 0 ? -1n : BigInt(countCodePoints(all.slice(0, unit)));
}

function lowerAscii(all: string): string {
  return ONLY_ASCII.test(all) ? all.toLowerCase() : all.replaceAll(/[A-Z]+/g, (part) => part.toLowerCase());
}

function upperAscii(all: string): string {
  return ONLY_ASCII.test(all) ? all.toUpperCase() : all.replaceAll(/[a-z]+/g, (part) => part.toUpperCase());
}

const ONLY_ASCII = /^[\0-\x7f]*$/;

function* indexOf(all: string, part: string, offset: bigint): Steps<bigint> {
  if (offset < 0n) throw outOfRange(offset);
  const length = BigInt(countCodePoints(all));
  if (part === '') return offset > length ? length : offset;
  if (offset >= length) return -1n;
  return pointIndex(all, yield* indexOfText(all, part, unitIndexOf(all, Number(offset))));
}

function* lastIndexOf(all: string, part: string, offset?: bigint): Steps<bigint> {
  const length = BigInt(countCodePoints(all));
  if (offset !== undefined && offset < 0n) throw outOfRange(offset);
  if (part === '') return offset === undefined || offset > length ? length : offset;
  if (offset === undefined) return pointIndex(all, yield* lastIndexOfText(all, part));
  if (offset >= length) return -1n;
  return pointIndex(all, yield* lastIndexOfText(all, part, unitIndexOf(all, Number(offset))));
}

/** The characters that Go treats as space. JavaScript's `trim` differs in two of them. */
const SPACE = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const LEADING_SPACE = new RegExp(`^${SPACE}+`);
const IS_SPACE = new RegExp(SPACE);

function trim(all: string): string {
  const rest = all.replace(LEADING_SPACE, '');
  let end = rest.length;
  while (end > 0 && IS_SPACE.test(rest.charAt(end - 1))) end--;
  return rest.slice(0, end);
}

function* replace(all: string, old: string, next: string, limit: bigint): Steps<string> {
  if (old === '') return yield* inserted(all, next, limit < 0n ? Number.POSITIVE_INFINITY : Number(limit));
  const pieces = yield* splitText(all, old, limit < 0n ? undefined : Number(limit));
  return joined(pieces, next, all.length);
}

/** An empty pattern matches before each of the first code points, and after the last. */
function* inserted(all: string, next: string, limit: number): Steps<string> {
  const parts: string[] = [];
  let start = 0;
  let length = all.length;
  let left = limit;
  while (start < all.length && left > 0) {
    const end = endOfPoints(all, start + UNITS_PER_STEP);
    const points = Array.from(all.slice(start, end));
    const count = Math.min(points.length, left);
    length += count * next.length;
    checkLength(length);
    parts.push(next, points.slice(0, count).join(next), points.slice(count).join(''));
    left -= count;
    start = end;
    if (start < all.length) yield;
  }
  parts.push(all.slice(start), left > 0 ? next : '');
  return parts.join('');
}

/** `length`: of all pieces together. */
function joined(pieces: readonly string[], separator: string, length: number): string {
  checkLength(length + pieces.length * separator.length);
  return pieces.join(separator);
}

function* split(all: string, separator: string, limit: bigint): Steps<ListValue> {
  if (limit === 0n) return ListValue.of([]);
  const most = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit) - 1;
  return ListValue.of(separator === '' ? yield* points(all, most) : yield* splitText(all, separator, most));
}

/** The first code points of a text, and the rest of it. */
function* points(all: string, most: number): Steps<string[]> {
  const found: string[] = [];
  let start = 0;
  while (start < all.length && found.length < most) {
    const end = endOfPoints(all, start + UNITS_PER_STEP);
    for (const point of all.slice(start, end)) {
      if (found.length >= most) break;
      found.push(point);
      start += point.length;
    }
    if (start < all.length) yield;
  }
  if (start < all.length) found.push(all.slice(start));
  return found;
}

function substring(all: string, start: bigint, end?: bigint): string {
  const length = countCodePoints(all);
  const to = end ?? BigInt(length);
  if (end !== undefined && start > end) {
    throw new EvaluationError(`invalid substring range. start: ${start}, end: ${end}`);
  }
  for (const index of [start, to]) if (index < 0n || index > length) throw outOfRange(index);
  return all.slice(unitIndexOf(all, Number(start)), unitIndexOf(all, Number(to)));
}

function join(values: ListValue, separator: string): string {
  const parts: string[] = [];
  for (let index = 0; index < values.size; index++) {
    const value = values.at(index);
    if (typeof value !== 'string') throw new EvaluationError(`join: invalid input: ${displayValue(value)}`);
    parts.push(value);
  }
  return parts.join(separator);
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
  ['"', '\\"'],
]);

const ESCAPED = /[\x07\b\f\n\r\t\v\\"]/g;

function* quote(all: string): Steps<string> {
  const escaped = yield* sliced(all, (slice) =>
    slice.replaceAll(ESCAPED, (character) => ESCAPES.get(character) ?? character),
  );
  return `"${escaped}"`;
}
