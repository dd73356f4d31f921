import type { Int64 } from '../json/index.js';
import { type FieldError, invalidValue } from '../status/index.js';
import { IMMUTABLE_MESSAGE, NEGATIVE_MESSAGE } from './messages.js';
import { type ComparedField, semanticEqual } from './semantic-equal.js';

/** One `Invalid value` error for each message. Adapts rules that return messages to rules that return field errors. */
export function invalidFor(field: string, value: unknown, messages: readonly string[]): FieldError[] {
  return messages.map((message) => invalidValue(field, value, message));
}

export function validateNonNegative(value: Int64 | undefined, field: string): FieldError[] {
  return value !== undefined && value < 0 ? [invalidValue(field, value, NEGATIVE_MESSAGE)] : [];
}

/** Semantic equality decides; see {@link semanticEqual}. */
export function validateImmutable(value: unknown, old: unknown, field: string, type?: ComparedField): FieldError[] {
  return semanticEqual(value, old, type) ? [] : [invalidValue(field, value, IMMUTABLE_MESSAGE)];
}
