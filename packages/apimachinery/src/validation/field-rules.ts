import { deepEqual, type Int64, type JsonValue } from '../json/index.js';
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
  return deepEqual(normalize(a as JsonValue | undefined), normalize(b as JsonValue | undefined));
}

function normalize(value: JsonValue | undefined): JsonValue | undefined {
  if (value === null || typeof value !== 'object') return value ?? undefined;
  if (Array.isArray(value)) {
    return value.length === 0 ? undefined : value.map((item) => normalize(item) ?? null);
  }
  const keys = Object.keys(value);
  const entries: [string, JsonValue][] = [];
  for (const key of keys) {
    const field = normalize(value[key]);
    if (field !== undefined) entries.push([key, field]);
  }
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
