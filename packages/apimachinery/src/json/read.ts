import { MAX_JSON_DEPTH, parseJson } from './parse.js';
import { decodeUtf8 } from './text.js';
import type { JsonValue } from './value.js';

const surrogateEscape = /\\u[dD][89a-fA-F]/;

/**
 * The value of a document that is kept: what {@link parseJson} makes of it, by the engine's parser wherever that reads the same. Its
 * strings are their own, whereas one that is cut out of a text holds all of the text in memory. Keys that stand twice and the spelling of
 * numbers are lost.
 *
 * Throws as {@link parseJson}.
 */
export function readJson(bytes: Uint8Array, maxDepth = MAX_JSON_DEPTH): JsonValue {
  const text = decodeUtf8(bytes);
  const value = text.includes('\\u') && surrogateEscape.test(text) ? undefined : tryParse(text);
  return value !== undefined && isExact(value, maxDepth) ? value : parseJson(bytes, { maxDepth }).value;
}

/** Undefined: the other parser says what is wrong with it. */
function tryParse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Whether its numbers are what the text says, and so many containers within containers are enough. */
function isExact(value: JsonValue, levels: number): boolean {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER && !Object.is(value, -0);
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isExact(item, levels - 1));
  for (const key in value) {
    const field = value[key];
    // Most are strings, and not worth a call.
    if (field !== undefined && typeof field !== 'string' && !isExact(field, levels - 1)) return false;
  }
  return true;
}
