import { isObject, type JsonValue, quoteJson } from '../json/index.js';
import { quoteGo } from './quote.js';

/**
 * A problem of one field. Validation returns all problems in the order of the rules, and never throws. Upstream:
 * apimachinery `pkg/util/validation/field`.
 */
export interface FieldError {
  readonly type: FieldErrorType;
  /** A path such as `spec.containers[0].name` or `metadata.labels[a/b]`. */
  readonly field: string;
  readonly detail: string;
  /** The value in the message, formatted by {@link formatBadValue}; undefined if the type shows none. */
  readonly shownValue?: string;
}

export type FieldErrorType =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueNotFound'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

const words: Readonly<Record<FieldErrorType, string>> = {
  FieldValueRequired: 'Required value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueForbidden: 'Forbidden',
  FieldValueNotFound: 'Not found',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueTypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
};

/** Longer strings are formatted on demand. */
const SHORT_MAXIMUM = 256;

/** Formats a large value on demand: thousands of errors may show the same object, and few of them are reported. */
function withValue(type: FieldErrorType, field: string, value: unknown, detail: string): FieldError {
  if (isSmall(value)) return { type, field, detail, shownValue: formatBadValue(value) };
  let shown: string | undefined;
  return {
    type,
    field,
    detail,
    get shownValue() {
      shown ??= formatBadValue(value);
      return shown;
    },
  };
}

function isSmall(value: unknown): boolean {
  return typeof value === 'string' ? value.length <= SHORT_MAXIMUM : typeof value !== 'object' || value === null;
}

export function required(field: string, detail: string): FieldError {
  return { type: 'FieldValueRequired', field, detail };
}

export function invalidValue(field: string, value: unknown, detail: string): FieldError {
  return withValue('FieldValueInvalid', field, value, detail);
}

/** An invalid value whose message omits the value. */
export function invalidWithoutValue(field: string, detail: string): FieldError {
  return { type: 'FieldValueInvalid', field, detail };
}

export function typeInvalid(field: string, value: unknown, detail: string): FieldError {
  return withValue('FieldValueTypeInvalid', field, value, detail);
}

/** Lists `supported` in the given order. Upstream sorts most of its sets, so callers pass them sorted. */
export function notSupported(field: string, value: unknown, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map(quoteGo).join(', ')}`;
  return withValue('FieldValueNotSupported', field, value, detail);
}

export function duplicate(field: string, value: unknown): FieldError {
  return withValue('FieldValueDuplicate', field, value, '');
}

export function forbiddenField(field: string, detail: string): FieldError {
  return { type: 'FieldValueForbidden', field, detail };
}

export function notFoundField(field: string, value: unknown): FieldError {
  return withValue('FieldValueNotFound', field, value, '');
}

/** Longer than `maximum` bytes. Upstream no longer shows the value. */
export function tooLong(field: string, maximum: number): FieldError {
  return {
    type: 'FieldValueTooLong',
    field,
    detail: maximum >= 0 ? `may not be more than ${maximum} bytes` : 'value is too long',
  };
}

export function tooMany(field: string, actual: number, maximum: number): FieldError {
  const noun = maximum === 1 ? 'item' : 'items';
  return {
    type: 'FieldValueTooMany',
    field,
    detail: maximum >= 0 ? `must have at most ${maximum} ${noun}` : 'has too many items',
    shownValue: String(actual),
  };
}

export function internalFieldError(field: string, detail: string): FieldError {
  return { type: 'InternalError', field, detail };
}

/** `Invalid value: "x": detail`: the message without its path. */
export function fieldErrorDetail(error: FieldError): string {
  const head = error.shownValue === undefined ? words[error.type] : `${words[error.type]}: ${error.shownValue}`;
  return error.detail === '' ? head : `${head}: ${error.detail}`;
}

/**
 * `spec.x: Invalid value: ...`, or `[a, b]` for several errors without repetition, as upstream's aggregate prints them.
 */
export function formatFieldErrors(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map((error) => `${error.field}: ${fieldErrorDetail(error)}`))];
  return texts.length === 1 && texts[0] !== undefined ? texts[0] : `[${texts.join(', ')}]`;
}

/** A string may be a patched object of 3 MB. Quotes escape it, the Status has it twice, and JSON escapes it again. */
const SHOWN_MAXIMUM = 256 * 1024;

/**
 * How Go's error shows a value: quoted strings, bare scalars, `null` for absent, JSON for the rest. Unlike Go's, a
 * string ends after 256 Ki characters.
 */
export function formatBadValue(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'string') return quoteGo(shortenValue(value));
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  return goJson(value as JsonValue);
}

/** A text as an error shows it: only the start of a long one. */
export function shortenValue(text: string): string {
  return text.length > SHOWN_MAXIMUM ? `${text.slice(0, SHOWN_MAXIMUM)}...` : text;
}

function goJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`;
  if (isObject(value)) {
    const fields = Object.keys(value).flatMap((key) => {
      const field = value[key];
      return field === undefined ? [] : [`${quoteJson(key)}:${goJson(field)}`];
    });
    return `{${fields.join(',')}}`;
  }
  if (typeof value === 'string') return quoteJson(value);
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}
