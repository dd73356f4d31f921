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
import type { Steps } from '../work/index.js';
import { DELETE_FROM_PRIMITIVE_LIST, RETAIN_KEYS, SET_ELEMENT_ORDER } from './strategic-directives.js';
import { readOperation, readOperations } from './json-patch-operation.js';

/*
 * Patched objects as upstream's errors quote them: objects visited by the patch have sorted fields, others keep their
 * order. Only for errors, because each text needs another walk through the object.
 */

const FIELDS_PER_STEP = 64;

/** The result of `applyMergePatch(document, patch)`, which has `details`. */
export function* mergePatchedTextInSteps(
  document: JsonObject,
  patch: JsonValue,
  result: JsonValue,
  details?: JsonDetails,
): Steps<string> {
  if (!isObject(patch) || !isObject(result)) return stringifyJson(result);
  return yield* objectText(result, details, (key, value) => {
    const change = getOwn(patch, key);
    if (change === undefined || change === null) return stringifyJson(value);
    const current = getOwn(document, key);
    return isObject(current) && isObject(change)
      ? mergePatchedTextInSteps(current, change, value, details)
      : stringifyJson(value, { sortKeys: !isObject(current) });
  });
}

/** The result of `applyJsonPatch` with `patch`, which has `details`. */
export function* jsonPatchedTextInSteps(patch: JsonValue, result: JsonValue, details?: JsonDetails): Steps<string> {
  const touched = new Set<JsonValue>([result]);
  for (const entry of readOperations(patch)) {
    const { path, from } = readOperation(entry);
    for (const pointer of [path, from]) {
      let value: JsonValue | undefined = result;
      for (const token of pointer?.tokens.slice(0, -1) ?? []) {
        value = childOf(value, token);
        if (value !== undefined) touched.add(value);
      }
    }
  }
  const text = textOf(result);
  return typeof text === 'string' ? text : yield* text;

  function textOf(value: JsonValue): string | Steps<string> {
    if (touched.has(value) && Array.isArray(value)) return arrayText(value, textOf);
    if (touched.has(value) && isObject(value)) return objectText(value, details, (_, field) => textOf(field));
    return stringifyJson(value);
  }
}

function* arrayText(items: readonly JsonValue[], textOf: (item: JsonValue) => string | Steps<string>): Steps<string> {
  const texts: string[] = [];
  for (const item of items) {
    const text = textOf(item);
    texts.push(typeof text === 'string' ? text : yield* text);
    if (texts.length % FIELDS_PER_STEP === 0) yield;
  }
  return `[${texts.join(',')}]`;
}

/** Numbers keep their text. */
function* objectText(
  object: JsonObject,
  details: JsonDetails | undefined,
  textOf: (key: string, value: JsonValue) => string | Steps<string>,
): Steps<string> {
  const numbers = details?.numberTexts.get(object);
  const fields: string[] = [];
  for (const key of sortedKeys(object)) {
    const value = object[key];
    if (value === undefined) continue;
    const text = numbers?.get(key) ?? textOf(key, value);
    fields.push(`${quoteJson(key)}:${typeof text === 'string' ? text : yield* text}`);
    if (fields.length % FIELDS_PER_STEP === 0) yield;
  }
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
