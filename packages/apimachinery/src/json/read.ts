import { parseJson } from './parse.js';
import { MAX_JSON_DEPTH } from './reader.js';
import { decodeUtf8 } from './text.js';
import type { JsonValue } from './value.js';

const surrogateEscape = /\\u[dD][89a-fA-F]/;

/**
 * Parses a document for storage: returns the value of {@link parseJson}, but uses JSON.parse where that gives the same
 * value. Its strings are copies; a string sliced from a text would retain all of it. Duplicate keys and the spelling of
 * numbers are lost.
 *
 * Throws like {@link parseJson}.
 */
export function readJson(bytes: Uint8Array, maxDepth = MAX_JSON_DEPTH): JsonValue {
  const text = decodeUtf8(bytes);
  const value = text.includes('\\u') && surrogateEscape.test(text) ? undefined : tryParse(text);
  return value !== undefined && isExact(value, maxDepth) ? value : parseJson(bytes, { maxDepth }).value;
}

/** Undefined if parseJson must decide, which reports any error. */
function tryParse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Whether all numbers equal their text, and nesting is at most `levels`. */
function isExact(value: JsonValue, levels: number): boolean {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER && !Object.is(value, -0);
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isExact(item, levels - 1));
  for (const key in value) {
    const field = value[key];
    // Skips strings, the most common fields, without a call.
    if (field !== undefined && typeof field !== 'string' && !isExact(field, levels - 1)) return false;
  }
  return true;
}
