import { sortedKeys, wellFormed } from './text.js';
import type { JsonValue } from './value.js';

export interface StringifyOptions {
  /** Object keys in the order of their UTF-8 bytes, as Go writes maps. Default: insertion order. */
  readonly sortKeys?: boolean;
}

/**
 * JSON text as Go's encoder writes it: no space, `<`, `>`, `&`, U+2028 and U+2029 escaped. `undefined` properties are absent.
 * Nesting is the caller's to bound (see `MAX_JSON_DEPTH`).
 */
export function stringifyJson(value: JsonValue, options?: StringifyOptions): string {
  return writeValue(value, options?.sortKeys === true);
}

function writeValue(value: JsonValue, sort: boolean): string {
  switch (typeof value) {
    case 'string':
      return quoteJson(value);
    case 'number':
      return formatNumber(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'bigint':
      return value.toString();
  }
  if (value === null) return 'null';
  if (Array.isArray(value)) {
    let text = '[';
    for (let index = 0; index < value.length; index++) {
      if (index > 0) text += ',';
      text += writeValue(value[index] ?? null, sort);
    }
    return `${text}]`;
  }
  let text = '{';
  for (const key of sort ? sortedKeys(value) : Object.keys(value)) {
    const item = value[key];
    if (item === undefined) continue;
    if (text.length > 1) text += ',';
    text += `${quoteJson(key)}:${writeValue(item, sort)}`;
  }
  return `${text}}`;
}

/** A double as Go prints it; the engine's own form differs in negative zero alone. NaN and infinities have no JSON form. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`json: unsupported value: ${formatNonFinite(value)}`);
  return value === 0 && Object.is(value, -0) ? '-0' : String(value);
}

function formatNonFinite(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

const needsEscape = /["\\<>&\u2028\u2029\ud800-\udfff]|[^ -\uffff]/;
const htmlUnsafe = /[<>&\u2028\u2029]/g;

/** `text` as a JSON string, quotes included. */
export function quoteJson(text: string): string {
  if (!needsEscape.test(text)) return `"${text}"`;
  return JSON.stringify(wellFormed(text)).replace(htmlUnsafe, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
