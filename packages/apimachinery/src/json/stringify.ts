import { isLarge } from './size.js';
import { sortedTextsInSteps } from './sort-in-steps.js';
import { keysInOrder } from './text.js';
import { isObject, type JsonObject, type JsonValue } from './value.js';
import { type JsonWriter, writeJsonBytes, writeJsonBytesInSteps, writeJsonText } from './writer.js';

export interface StringifyOptions {
  /** Sort object keys by their UTF-8 bytes, as Go writes maps. Default: insertion order; sorted if one is an array index. */
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

/** {@link encodeJson} in steps, for values that may be large. */
export function* encodeJsonInSteps(
  value: JsonValue,
  options?: StringifyOptions,
): Generator<undefined, Uint8Array, undefined> {
  if (!isLarge(value)) return encodeJson(value, options);
  yield;
  return yield* writeJsonBytesInSteps((writer) => writeJsonInSteps(writer, value, options?.sortKeys === true));
}

/** Writes a value that may be large; small parts as a whole. */
export function* writeJsonInSteps(
  writer: JsonWriter,
  value: JsonValue,
  sortKeys: boolean,
): Generator<undefined, void, undefined> {
  const writeItem = (item: JsonValue) => writeJsonInSteps(writer, item, sortKeys);
  if (!isLarge(value)) writer.value(value, sortKeys);
  else if (Array.isArray(value)) yield* writeListInSteps(writer, value, writeItem);
  else if (isObject(value)) yield* writeMapInSteps(writer, value, sortKeys, writeItem);
  if (writer.endsStep()) yield;
}

/** Writes the items of a large list one by one. */
export function* writeListInSteps(
  writer: JsonWriter,
  list: readonly JsonValue[],
  writeItem: (item: JsonValue) => Generator<undefined, void, undefined>,
): Generator<undefined, void, undefined> {
  writer.byte(0x5b);
  for (let index = 0; index < list.length; index++) {
    if (index > 0) writer.byte(0x2c);
    yield* writeItem(list[index] ?? null);
  }
  writer.byte(0x5d);
}

/** Writes the members of a large map one by one. */
export function* writeMapInSteps(
  writer: JsonWriter,
  map: JsonObject,
  sortKeys: boolean,
  writeItem: (item: JsonValue) => Generator<undefined, void, undefined>,
): Generator<undefined, void, undefined> {
  yield;
  const keys = sortKeys ? Object.keys(map) : keysInOrder(map);
  yield;
  let first = true;
  writer.byte(0x7b);
  for (const key of sortKeys ? yield* sortedTextsInSteps(keys) : keys) {
    const value = map[key];
    if (value === undefined) continue;
    if (!first) writer.byte(0x2c);
    first = false;
    writer.string(key);
    writer.byte(0x3a);
    yield* writeItem(value);
  }
  writer.byte(0x7d);
}
