import { formatFloat } from './format-float.js';
import { sortedKeys } from './text.js';
import { isObject, type JsonValue } from './value.js';

/** Prints a decoded value as Go's `%v` does: `map[a:1 b:[x y] c:<nil>]`. Integers of 64 bits have no exponent. */
export function formatGoValue(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(formatGoValue).join(' ')}]`;
  if (!isObject(value)) return typeof value === 'string' ? value : formatGoScalar(value);
  const entries = sortedKeys(value).map((key) => `${key}:${formatGoValue(value[key] ?? null)}`);
  return `map[${entries.join(' ')}]`;
}

function formatGoScalar(value: number | bigint | boolean): string {
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'bigint' || isInt64(value) ? String(value) : formatFloat(value);
}

function isInt64(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63;
}
