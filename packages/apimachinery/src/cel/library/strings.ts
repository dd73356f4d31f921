import type { Steps } from '../../work/index.js';
import { EvaluationError } from '../evaluation-error.js';
import { longOverload, type Overload, overload } from '../overload.js';
import { ListValue } from '../values.js';
import { from, int, list, string } from './arguments.js';
import { countCodePoints, unitIndexOf } from './code-points.js';
import { displayValue } from './display.js';
import { checkLength } from './longest-text.js';
import { formatText } from './string-format.js';

/** About a millisecond of work on the code points of a text. */
const UNITS_PER_STEP = 20_000;

const text = from(string);
const textAndInt = from(string, int);
const texts = from(string, string);
const textsAndInt = from(string, string, int);

/** Positions count code points. Upstream: cel-go `ext/strings.go`, version 2. */
export const STRINGS: readonly Overload[] = [
  overload('charAt', 'string_char_at_int', 'string.(int) -> string', textAndInt(charAt)),
  overload(
    'indexOf',
    'string_index_of_string',
    'string.(string) -> int',
    texts((all, part) => indexOf(all, part, 0n)),
  ),
  overload('indexOf', 'string_index_of_string_int', 'string.(string, int) -> int', textsAndInt(indexOf)),
  overload(
    'lastIndexOf',
    'string_last_index_of_string',
    'string.(string) -> int',
    texts((all, part) => lastIndexOf(all, part)),
  ),
  overload('lastIndexOf', 'string_last_index_of_string_int', 'string.(string, int) -> int', textsAndInt(lastIndexOf)),
  overload(
    'lowerAscii',
    'string_lower_ascii',
    'string.() -> string',
    text((all) => all.replaceAll(/[A-Z]+/g, (part) => part.toLowerCase())),
  ),
  overload(
    'upperAscii',
    'string_upper_ascii',
    'string.() -> string',
    text((all) => all.replaceAll(/[a-z]+/g, (part) => part.toUpperCase())),
  ),
  overload('trim', 'string_trim', 'string.() -> string', text(trim)),
  longOverload('replace', 'string_replace_string_string', 'string.(string, string) -> string', {
    isLong: () => true,
    steps: from(string, string, string)((all, old, next) => replace(all, old, next, -1n)),
  }),
  longOverload('replace', 'string_replace_string_string_int', 'string.(string, string, int) -> string', {
    isLong: () => true,
    steps: from(string, string, string, int)(replace),
  }),
  overload(
    'split',
    'string_split_string',
    'string.(string) -> list(string)',
    texts((all, separator) => split(all, separator, -1n)),
  ),
  overload('split', 'string_split_string_int', 'string.(string, int) -> list(string)', textsAndInt(split)),
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
  overload('strings.quote', 'strings_quote', '(string) -> string', text(quote)),
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

function indexOf(all: string, part: string, offset: bigint): bigint {
  if (offset < 0n) throw outOfRange(offset);
  const length = BigInt(countCodePoints(all));
  if (part === '') return offset > length ? length : offset;
  if (offset >= length) return -1n;
  return pointIndex(all, all.indexOf(part, unitIndexOf(all, Number(offset))));
}

function lastIndexOf(all: string, part: string, offset?: bigint): bigint {
  const length = BigInt(countCodePoints(all));
  if (offset !== undefined && offset < 0n) throw outOfRange(offset);
  if (part === '') return offset === undefined || offset > length ? length : offset;
  if (offset === undefined) return pointIndex(all, all.lastIndexOf(part));
  if (offset >= length) return -1n;
  return pointIndex(all, all.lastIndexOf(part, unitIndexOf(all, Number(offset))));
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
  if (limit < 0n) return joined(all.split(old), next, all.length);
  return joined([...split(all, old, limit + 1n)].map(String), next, all.length);
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

/** The end of a part that does not split a surrogate pair. */
function endOfPoints(all: string, end: number): number {
  const code = all.charCodeAt(end - 1);
  return code >= 0xd800 && code < 0xdc00 ? end + 1 : Math.min(end, all.length);
}

/** `length`: of all pieces together. */
function joined(pieces: readonly string[], separator: string, length: number): string {
  checkLength(length + pieces.length * separator.length);
  return pieces.join(separator);
}

function split(all: string, separator: string, limit: bigint): ListValue {
  if (limit === 0n) return ListValue.of([]);
  const pieces = separator === '' ? Array.from(all) : all.split(separator);
  if (limit < 0n || limit >= pieces.length) return ListValue.of(pieces);
  const kept = pieces.slice(0, Number(limit) - 1);
  return ListValue.of([...kept, pieces.slice(kept.length).join(separator)]);
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

function quote(all: string): string {
  return `"${all.replaceAll(ESCAPED, (character) => ESCAPES.get(character) ?? character)}"`;
}
