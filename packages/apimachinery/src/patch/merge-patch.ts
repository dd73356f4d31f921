import { getOwn, isObject, type JsonObject, type JsonValue, setOwn } from '../json/index.js';
import { badRequest } from '../status/index.js';

/**
 * RFC 7386, with upstream's one deviation: an added object loses its null fields, even inside lists. Throws 400 for a
 * patch that is not an object. Upstream: evanphx/json-patch v4 `MergePatch`.
 */
export function applyMergePatch(document: JsonObject, patch: JsonValue): JsonObject {
  if (!isObject(patch)) throw badRequest('Invalid JSON Patch');
  return mergeObjects(document, patch);
}

function mergeObjects(document: JsonObject, patch: JsonObject): JsonObject {
  let result: JsonObject | undefined;
  for (const key of Object.keys(patch)) {
    const change = patch[key];
    if (change === undefined) continue;
    const current = getOwn(document, key);
    if (change === null) {
      if (current === undefined) continue;
      result ??= { ...document };
      delete result[key];
      continue;
    }
    const merged = mergeValues(current, change);
    if (merged === current) continue;
    result ??= { ...document };
    setOwn(result, key, merged);
  }
  return result ?? document;
}

function mergeValues(current: JsonValue | undefined, change: JsonValue): JsonValue {
  if (!isObject(current)) return withoutNulls(change);
  return isObject(change) ? mergeObjects(current, change) : change;
}

/** Removes null fields of objects; null items of lists stay. */
export function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const key of Object.keys(value)) {
    const field = value[key];
    if (field !== null && field !== undefined) setOwn(result, key, withoutNulls(field));
  }
  return result;
}
