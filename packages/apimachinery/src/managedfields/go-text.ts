import { isObject, type JsonValue, sortedKeys } from '../json/index.js';
import { quoteGo } from '../status/index.js';

/**
 * How Go prints a value of a document in upstream's messages, all numbers being doubles to it: `%v`, e.g. `map[a:1 b:[x]]`.
 */
export function formatGoValue(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(formatGoValue).join(' ')}]`;
  if (!isObject(value)) return typeof value === 'string' ? value : formatGoScalar(value);
  const entries = sortedKeys(value).map((key) => `${key}:${formatGoValue(value[key] ?? null)}`);
  return `map[${entries.join(' ')}]`;
}

/** The same in Go's own syntax: `%#v`, e.g. `map[string]interface {}{"a":1}`. */
export function formatGoSyntax(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(formatGoSyntax).join(', ')}}`;
  if (!isObject(value)) return typeof value === 'string' ? quoteGo(value) : formatGoScalar(value);
  const entries = sortedKeys(value).map((key) => `${quoteGo(key)}:${formatGoSyntax(value[key] ?? null)}`);
  return `map[string]interface {}{${entries.join(', ')}}`;
}

/** The Go type that holds the value: `%T`. */
export function goTypeOf(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : 'float64';
}

/** Doubles of a million and more, and those below a ten-thousandth, take an exponent. */
function formatGoScalar(value: number | bigint | boolean): string {
  if (typeof value === 'boolean') return String(value);
  const number = Number(value);
  const [digits = '', exponentText = '0'] = number.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 6) return String(number);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
