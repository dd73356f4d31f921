import { formatGoValue, isObject, type JsonValue, sortedKeys } from '../json/index.js';
import { quoteGo } from '../status/index.js';

/** Prints a value in Go syntax, as `%#v` does: `map[string]interface {}{"a":1}`. */
export function formatGoSyntax(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(formatGoSyntax).join(', ')}}`;
  if (!isObject(value)) return typeof value === 'string' ? quoteGo(value) : formatGoValue(value);
  const entries = sortedKeys(value).map((key) => `${quoteGo(key)}:${formatGoSyntax(value[key] ?? null)}`);
  return `map[string]interface {}{${entries.join(', ')}}`;
}

/** The Go type of a value, as `%T` prints it. */
export function goTypeOf(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : 'float64';
}
