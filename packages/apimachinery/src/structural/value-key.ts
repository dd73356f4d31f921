import { type JsonValue, stringifyJson } from '../json/index.js';

/** A text that is the same for equal values, and for no others. */
export function valueKey(value: JsonValue | undefined): string {
  if (typeof value === 'string') return `"${value}`;
  if (value === undefined) return '';
  return typeof value === 'object' && value !== null ? stringifyJson(value, { sortKeys: true }) : String(value);
}
