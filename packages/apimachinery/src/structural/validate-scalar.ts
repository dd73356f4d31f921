import { RE2JSException, RE2Set } from 're2js';
import { formatNumber, type JsonValue } from '../json/index.js';
import {
  compilationWork,
  compiledPatterns,
  EXPRESSION_TOO_LARGE,
  firstMatch,
  isLongSearch,
} from '../patterns/index.js';
import { invalidValue, quoteGo, tooLong, typeInvalid } from '../status/index.js';
import { hasFormat } from './formats.js';
import type { Steps, WorkBudget } from '../work/index.js';
import { fieldAt, type Problems, unplaced } from './problems.js';
import type { SchemaNode, ValueLimits } from './schema-node.js';

/** The path of a value, and the problems found. */
export interface Place {
  /** The path of the whole value in its document; `''` = it is the document. */
  readonly base: string;
  /** The path within the value: `spec.items[0]`. */
  readonly path: string;
  readonly problems: Problems;
}

/** A pattern of this size costs as much as all other checks of a string. */
const PATTERN_SIZE = 4;
const CHARACTERS_PER_WORK = 4;

/**
 * Charges the worst-case cost of a string's checks. Matching takes linear time, but for each character the pattern may
 * be in all of its states.
 */
export function spendOnString(value: string, { pattern }: ValueLimits, budget: WorkBudget): void {
  budget.spend(value.length / CHARACTERS_PER_WORK);
  const compiled = pattern === '' ? '' : compiledPatterns.get(pattern, (work) => budget.spend(work));
  if (typeof compiled !== 'string') {
    budget.spend((value.length / CHARACTERS_PER_WORK) * (compiled.programSize() / PATTERN_SIZE));
  }
}

/** The search of a longer text for a pattern may take many milliseconds. */
const LONG_TEXT = 1000;

/** Whether a text may have to be searched for patterns in steps, by {@link matchesInSteps}. */
export function isLongText(value: JsonValue, { pattern, hasAlternatives }: ValueLimits): value is string {
  return typeof value === 'string' && value.length > LONG_TEXT && (pattern !== '' || hasAlternatives);
}

/** Whether a text matches the pattern of its limits; false for an invalid pattern. */
export function* matchesInSteps(value: string, { pattern }: ValueLimits): Steps<boolean> {
  if (pattern === '') return true;
  const compiled = compiledPatterns.get(pattern);
  if (typeof compiled === 'string') return false;
  if (!isLongSearch(compiled, value.length)) return compiledPatterns.matches(compiled, value);
  return (yield* firstMatch(compiled, value)) !== undefined;
}

/** Checks length, then pattern, and reports the first failure. `matches`: whether the text is known to match. */
export function validateString(value: string, limits: ValueLimits, place: Place, matches?: boolean): void {
  const { maxLength, minLength, pattern } = limits;
  if (maxLength !== undefined || minLength !== undefined) {
    const length = characterCount(value);
    if (maxLength !== undefined && length > maxLength) {
      const text = `${place.path} in body should be at most ${maxLength} chars long`;
      place.problems.add(text, () => tooLong(fieldAt(place.base, place.path), maxLength));
      return;
    }
    if (minLength !== undefined && length < minLength) {
      refuse(place, value, `${place.path} in body should be at least ${minLength} chars long`);
      return;
    }
  }
  if (pattern === '' || matches === true) return;
  const problem = patternProblem(value, pattern, matches);
  if (problem !== undefined) refuse(place, value, `${place.path} in body should match '${problem}'`);
}

export function validateFormat(value: string, format: string, place: Place): void {
  if (format === '' || hasFormat(value, format)) return;
  const text = `${place.path} in body must be of type ${format}: ${quoteGo(value)}`;
  place.problems.add(text, () => typeInvalid(fieldAt(place.base, place.path), value, text));
}

/**
 * The problem of a pattern itself, in Go's words; undefined for a valid one. Parsing it is cheaper than compiling it.
 */
export function patternError(pattern: string): string | undefined {
  if (compilationWork(pattern) === Number.POSITIVE_INFINITY) return EXPRESSION_TOO_LARGE;
  try {
    new RE2Set().add(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof RE2JSException) return error.message;
    throw error;
  }
}

/** Undefined if the value matches. Linear in the value: RE2 does not backtrack. */
function patternProblem(value: string, pattern: string, matches: boolean | undefined): string | undefined {
  const compiled = compiledPatterns.get(pattern);
  if (typeof compiled === 'string') return `${pattern}, but pattern is invalid: ${compiled}`;
  return (matches ?? compiledPatterns.matches(compiled, value)) ? undefined : pattern;
}

/**
 * Upstream: kube-openapi `numberValidator`. Problems are in the order of its checks: range, multiple, minimum, maximum.
 */
export function validateNumber(
  value: number | bigint,
  node: SchemaNode,
  limits: ValueLimits | undefined,
  place: Place,
): void {
  const type = node.intOrString ? '' : node.type;
  const format = type === 'integer' || type === 'number' ? (limits?.format ?? '') : '';
  checkRange(value, 'Checked', type, format, place);
  if (limits === undefined) return;
  const { multipleOf, maximum, minimum } = limits;
  const isInteger = isWhole(value);
  if (multipleOf !== undefined) {
    checkRange(multipleOf, 'MultipleOf', type, format, place);
    validateMultiple(value, isInteger ? Math.trunc(multipleOf) : multipleOf, place);
  }
  if (minimum !== undefined) {
    checkRange(minimum, 'Minimum boundary', type, format, place);
    const least = isInteger ? Math.trunc(minimum) : minimum;
    if (value < least || (limits.exclusiveMinimum && !(value > least))) {
      const relation = limits.exclusiveMinimum ? 'greater than' : 'greater than or equal to';
      refuse(place, value, `${place.path} in body should be ${relation} ${formatNumber(least)}`);
    }
  }
  if (maximum !== undefined) {
    checkRange(maximum, 'Maximum boundary', type, format, place);
    const most = isInteger ? Math.trunc(maximum) : maximum;
    if (value > most || (limits.exclusiveMaximum && !(value < most))) {
      const relation = limits.exclusiveMaximum ? 'less than' : 'less than or equal to';
      refuse(place, value, `${place.path} in body should be ${relation} ${formatNumber(most)}`);
    }
  }
}

function validateMultiple(value: number | bigint, factor: number, place: Place): void {
  if (factor <= 0) {
    refuse(place, factor, `factor MultipleOf declared for ${place.path} must be positive: ${formatNumber(factor)}`);
    return;
  }
  const isMultiple =
    typeof value === 'bigint'
      ? value % BigInt(factor) === 0n
      : isWhole(value)
        ? value % factor === 0
        : isNearlyWhole(factor < 1 ? (1 / factor) * value : value / factor);
  if (!isMultiple) refuse(place, value, `${place.path} in body should be a multiple of ${formatNumber(factor)}`);
}

/** Refuses a number outside the range of type and format. `value` may also be a bound of the schema, as `what` says. */
function checkRange(value: number | bigint, what: string, type: string, format: string, place: Place): void {
  const fits =
    type === 'integer'
      ? isWhole(value) && (format !== 'int32' || (value >= -(2 ** 31) && value < 2 ** 31))
      : format !== 'float' || Math.abs(Number(value)) <= 3.4028234663852886e38;
  if (fits) return;
  const described = format === '' ? '(default format)' : `with format ${format}`;
  const text = `${what} value must be of type ${type} ${described} in ${place.path}`;
  place.problems.add(text, () => unplaced(place.base, text));
}

/** Whether Go decodes the number as an int64. */
export function isWhole(value: number | bigint): boolean {
  return typeof value === 'bigint' || (Number.isInteger(value) && Math.abs(value) < 2 ** 63);
}

/** Upstream: go-openapi `swag.IsFloat64AJSONInteger`. */
export function isNearlyWhole(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const whole = Math.trunc(value);
  if (whole === value) return true;
  return whole !== 0 && Math.abs(value - whole) / Math.abs(value + whole) < 1e-9;
}

function characterCount(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0xd800 || code > 0xdbff) continue;
    const next = text.charCodeAt(index + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      count--;
      index++;
    }
  }
  return count;
}

/** Records a problem that shows the value. */
export function refuse(place: Place, value: JsonValue, text: string): void {
  place.problems.add(text, () => invalidValue(fieldAt(place.base, place.path), value, text));
}
