import { isObject, type JsonValue, sortedKeys } from '../json/index.js';

/** A decoded JSON value as Go's `%v` prints it, e.g. `map[a:1 b:[x y]]`: some of upstream's messages show a patch so. */
export function formatGoValue(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(formatGoValue).join(' ')}]`;
  if (isObject(value)) {
    return `map[${sortedKeys(value)
      .map((key) => `${key}:${formatGoValue(value[key] ?? null)}`)
      .join(' ')}]`;
  }
  return typeof value === 'number' ? formatGoNumber(value) : String(value);
}

/** Integers are 64-bit integers to Go; doubles print in their shortest form, with an exponent of two digits or more. */
function formatGoNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return String(value);
  const magnitude = Math.abs(value);
  const text = magnitude < 1e-4 || magnitude >= 1e21 ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

/** The name of the Go type that holds a decoded JSON value. */
export function goTypeName(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '%!s(<nil>)';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'object':
      return 'map[string]interface {}';
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    case 'bigint':
      return 'int64';
    default:
      return 'string';
  }
}
