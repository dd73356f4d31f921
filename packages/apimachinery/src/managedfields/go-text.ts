import { formatGoValue, isObject, type JsonValue, sortedKeys } from '../json/index.js';
import { quoteGo } from '../status/index.js';

/** A value of a document as Go prints it in upstream's messages, all numbers being doubles to it: `%v`. */
export function formatGoText(value: JsonValue): string {
  return formatGoValue(value, 'float64');
}

/** The same in Go's own syntax: `%#v`, e.g. `map[string]interface {}{"a":1}`. */
export function formatGoSyntax(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(formatGoSyntax).join(', ')}}`;
  if (!isObject(value)) return typeof value === 'string' ? quoteGo(value) : formatGoText(value);
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
