import { type JsonValue, stringifyJson } from '../json/index.js';

/** A string that is equal exactly for equal values. */
export function valueKey(value: JsonValue | undefined): string {
  if (typeof value === 'string') return `"${value}`;
  if (value === undefined) return '';
  return typeof value === 'object' && value !== null ? stringifyJson(value, { sortKeys: true }) : String(value);
}
