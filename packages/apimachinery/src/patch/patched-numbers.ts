import { getOwn, isObject, type JsonDetails, type JsonObject, type JsonValue } from '../json/index.js';
import { readOperation, readOperations } from './json-patch-operation.js';

/*
 * Details are keyed by containers, and patches create containers. The texts of a patch's numbers are found again in its
 * result, because Go refuses `1.0` for an integer in a patch too.
 */

type NumberTexts = Map<JsonObject | JsonValue[], Map<string | number, string>>;

/** The details of the result of `applyMergePatch` with `patch`, which has `details`. */
export function mergePatchedDetails(patch: JsonValue, details: JsonDetails, result: JsonValue): JsonDetails {
  const found: NumberTexts = new Map();
  const walk = (from: JsonValue, to: JsonValue | undefined): void => {
    if (!isContainer(from) || !isContainer(to)) return;
    for (const [key, value] of Object.entries(from)) {
      const place = Array.isArray(to) ? Number(key) : key;
      const text = details.numberTexts.get(from)?.get(place);
      if (text === undefined) walk(value ?? null, childOf(to, key));
      else setText(found, to, place, text);
    }
  };
  walk(patch, result);
  return { duplicateKeys: new Map(), numberTexts: found };
}

/**
 * The details of the result of `applyJsonPatch` with `patch`, which has `details`. Containers of the patch that the
 * result holds unchanged keep theirs. Numbers that were added to lists have none.
 */
export function jsonPatchedDetails(patch: JsonValue, details: JsonDetails, result: JsonValue): JsonDetails {
  const found: NumberTexts = new Map();
  for (const entry of readOperations(patch)) {
    if (!isObject(entry)) continue;
    const { path, value } = readOperation(entry);
    const last = path.at(-1);
    const parent = path.slice(0, -1).reduce<JsonValue | undefined>(childOf, result);
    if (last === undefined || !isObject(parent)) continue;
    found.get(parent)?.delete(last);
    const text = details.numberTexts.get(entry)?.get('value');
    if (text !== undefined && getOwn(parent, last) === value) setText(found, parent, last, text);
  }
  return { duplicateKeys: details.duplicateKeys, numberTexts: new Map([...details.numberTexts, ...found]) };
}

function isContainer(value: JsonValue | undefined): value is JsonObject | JsonValue[] {
  return Array.isArray(value) || isObject(value);
}

/** A field or an item; undefined for none. */
export function childOf(value: JsonValue | undefined, token: string): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(token)];
  return isObject(value) ? getOwn(value, token) : undefined;
}

function setText(texts: NumberTexts, holder: JsonObject | JsonValue[], key: string | number, text: string): void {
  const known = texts.get(holder);
  if (known === undefined) texts.set(holder, new Map([[key, text]]));
  else known.set(key, text);
}
