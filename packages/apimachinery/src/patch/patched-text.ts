import {
  formatGoValue,
  getOwn,
  isObject,
  type JsonDetails,
  type JsonObject,
  type JsonValue,
  quoteJson,
  sortedKeys,
  stringifyJson,
} from '../json/index.js';
import { DELETE_FROM_PRIMITIVE_LIST, RETAIN_KEYS, SET_ELEMENT_ORDER } from './strategic-directives.js';
import { readOperation, readOperations } from './json-patch-operation.js';

/*
 * Patched objects as upstream's errors quote them: objects visited by the patch have sorted fields, others keep their
 * order. Only for errors, because each text needs another walk through the object.
 */

/** The result of `applyMergePatch(document, patch)`, which has `details`. */
export function mergePatchedText(
  document: JsonObject,
  patch: JsonValue,
  result: JsonValue,
  details?: JsonDetails,
): string {
  if (!isObject(patch) || !isObject(result)) return stringifyJson(result);
  return objectText(result, details, (key, value) => {
    const change = getOwn(patch, key);
    if (change === undefined || change === null) return stringifyJson(value);
    const current = getOwn(document, key);
    return isObject(current) && isObject(change)
      ? mergePatchedText(current, change, value, details)
      : stringifyJson(value, { sortKeys: !isObject(current) });
  });
}

/** The result of `applyJsonPatch` with `patch`, which has `details`. */
export function jsonPatchedText(patch: JsonValue, result: JsonValue, details?: JsonDetails): string {
  const touched = new Set<JsonValue>([result]);
  for (const entry of readOperations(patch)) {
    const { path, from } = readOperation(entry);
    for (const pointer of [path, from ?? []]) {
      let value: JsonValue | undefined = result;
      for (const token of pointer.slice(0, -1)) {
        value = childOf(value, token);
        if (value !== undefined) touched.add(value);
      }
    }
  }
  return touchedText(result, touched, details);
}

function touchedText(value: JsonValue, touched: ReadonlySet<JsonValue>, details: JsonDetails | undefined): string {
  if (!touched.has(value)) return stringifyJson(value);
  if (Array.isArray(value)) return `[${value.map((item) => touchedText(item, touched, details)).join(',')}]`;
  if (!isObject(value)) return stringifyJson(value);
  return objectText(value, details, (_, field) => touchedText(field, touched, details));
}

/** Numbers keep their text. */
function objectText(
  object: JsonObject,
  details: JsonDetails | undefined,
  textOf: (key: string, value: JsonValue) => string,
): string {
  const numbers = details?.numberTexts.get(object);
  const fields = sortedKeys(object).flatMap((key) => {
    const value = object[key];
    return value === undefined ? [] : [`${quoteJson(key)}:${numbers?.get(key) ?? textOf(key, value)}`];
  });
  return `{${fields.join(',')}}`;
}

/** A field or an item; undefined for none. */
function childOf(value: JsonValue | undefined, token: string): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(token)];
  return isObject(value) ? getOwn(value, token) : undefined;
}

/** A strategic merge patch as Go prints it after merging, which removes the lists and directives it has processed. */
export function strategicPatchText(patch: JsonObject): string {
  return formatGoValue(leftOver(patch));
}

function leftOver(patch: JsonObject): JsonObject {
  const ordered = new Set(
    Object.keys(patch)
      .filter((key) => key.startsWith(`${SET_ELEMENT_ORDER}/`))
      .flatMap((key) => [key, key.slice(SET_ELEMENT_ORDER.length + 1)]),
  );
  const kept = Object.keys(patch).filter((key) => key !== RETAIN_KEYS && !ordered.has(key));
  return Object.fromEntries(kept.map((key) => [key, leftOverOf(key, patch[key] ?? null)]));
}

function leftOverOf(key: string, value: JsonValue): JsonValue {
  return isObject(value) && !key.startsWith(DELETE_FROM_PRIMITIVE_LIST) ? leftOver(value) : value;
}
