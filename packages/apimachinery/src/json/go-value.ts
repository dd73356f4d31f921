import { formatFloat } from './format-float.js';
import { sortedKeys } from './text.js';
import { isObject, type JsonValue } from './value.js';

/** The Go type of decoded integers. All other numbers are doubles. */
export type GoIntegers = 'int64' | 'float64';

/** Prints a decoded value as Go's `%v` does: `map[a:1 b:[x y] c:<nil>]`. */
export function formatGoValue(value: JsonValue, integers: GoIntegers = 'int64'): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map((item) => formatGoValue(item, integers)).join(' ')}]`;
  if (!isObject(value)) return typeof value === 'string' ? value : formatGoScalar(value, integers);
  const entries = sortedKeys(value).map((key) => `${key}:${formatGoValue(value[key] ?? null, integers)}`);
  return `map[${entries.join(' ')}]`;
}

function formatGoScalar(value: number | bigint | boolean, integers: GoIntegers): string {
  if (typeof value === 'boolean') return String(value);
  if (integers === 'float64') return formatFloat(Number(value));
  return typeof value === 'bigint' || isInt64(value) ? String(value) : formatFloat(value);
}

function isInt64(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63;
}
