import type { Int64 } from '../json/index.js';
import { type FieldError, invalidValue } from '../status/index.js';
import { IMMUTABLE_MESSAGE, NEGATIVE_MESSAGE } from './messages.js';

/** One `Invalid value` error for each message. Adapts rules that return messages to rules that return field errors. */
export function invalidFor(field: string, value: unknown, messages: readonly string[]): FieldError[] {
  return messages.map((message) => invalidValue(field, value, message));
}

export function validateNonNegative(value: Int64 | undefined, field: string): FieldError[] {
  return value !== undefined && value < 0 ? [invalidValue(field, value, NEGATIVE_MESSAGE)] : [];
}

/** Empty lists, empty maps and absence are equal, as in upstream's semantic equality. */
export function validateImmutable(value: unknown, old: unknown, field: string): FieldError[] {
  return semanticEqual(value, old) ? [] : [invalidValue(field, value, IMMUTABLE_MESSAGE)];
}

/** Deep equality of JSON values that treats absent, null, `[]` and `{}` as equal. */
export function semanticEqual(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => semanticEqual(item, b[index]));
  }
  if (!isMap(a) || !isMap(b)) return a === b || (isEmpty(a) && isEmpty(b));
  for (const key of Object.keys(a)) if (!semanticEqual(a[key], ownValue(b, key))) return false;
  for (const key of Object.keys(b)) if (!Object.hasOwn(a, key) && !isEmpty(b[key])) return false;
  return true;
}

type Fields = Readonly<Record<string, unknown>>;

function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function ownValue(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

/** Whether a value holds nothing. An object of empty values is empty; a list of them is not. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (!isMap(value)) return false;
  for (const key of Object.keys(value)) if (!isEmpty(value[key])) return false;
  return true;
}
