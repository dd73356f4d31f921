import type { JsonValue } from './value.js';
import { writeJsonBytes, writeJsonText } from './writer.js';

export interface StringifyOptions {
  /** Sort object keys by their UTF-8 bytes, as Go writes maps. Default: insertion order. */
  readonly sortKeys?: boolean;
}

/**
 * Writes JSON as Go's encoder does: no whitespace; escapes `<`, `>`, `&`, U+2028 and U+2029. `undefined` properties are
 * absent. The caller must bound nesting (see `MAX_JSON_DEPTH`). Throws RangeError for NaN and infinities.
 */
export function stringifyJson(value: JsonValue, options?: StringifyOptions): string {
  return writeJsonText((writer) => writer.value(value, options?.sortKeys === true));
}

/** The UTF-8 bytes of {@link stringifyJson}. */
export function encodeJson(value: JsonValue, options?: StringifyOptions): Uint8Array {
  return writeJsonBytes((writer) => writer.value(value, options?.sortKeys === true));
}
