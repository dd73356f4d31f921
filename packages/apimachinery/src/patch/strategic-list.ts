import { formatGoValue, getOwn, isObject, type JsonObject, type JsonValue } from '../json/index.js';
import { unclassified } from '../status/index.js';
import type { Steps } from '../work/index.js';
import { patchRejected } from './errors.js';
import { goTypeName } from './go-type-name.js';
import { noMergeKey, PATCH, unknownDirective } from './strategic-directives.js';
import { identityOf, orderItems } from './strategic-order.js';
import { type FieldPatchRule, goKind, type PatchSchema } from './strategic-schema.js';

type Items = readonly JsonValue[];
export type MergeObjects = (document: JsonObject, patch: JsonObject, schema: PatchSchema) => Steps<JsonObject>;

/** Merges a list with strategy `merge`. Upstream: strategicpatch `mergeSlice`. */
export function* mergeList(
  document: Items,
  patch: Items,
  rule: FieldPatchRule,
  mergeObjects: MergeObjects,
): Steps<Items> {
  if (document.length === 0 && patch.length === 0) return document;
  if (elementType(document, patch) !== 'map[string]interface {}') {
    const merged = [...new Set([...document, ...patch])];
    return orderItems(merged, patch, document, '');
  }
  if (rule.mergeKey === '') throw unclassified(`cannot merge lists without merge key for ${goKind(rule.schema)}`);
  const { kept, changes } = applyItemDirectives(document, patch, rule.mergeKey);
  return orderItems(yield* mergeItems(kept, changes, rule, mergeObjects), changes, kept, rule.mergeKey);
}

/** Removes the items in a `$deleteFromPrimitiveList`. A list of objects is merged as usual. */
export function* deleteFromList(
  document: Items,
  patch: Items,
  rule: FieldPatchRule,
  mergeObjects: MergeObjects,
): Steps<Items> {
  if (document.length === 0 && patch.length === 0) return document;
  if (elementType(document, patch) === 'map[string]interface {}') {
    return yield* mergeList(document, patch, rule, mergeObjects);
  }
  const deleted = new Set(patch);
  return document.filter((item) => !deleted.has(item));
}

/** The common type of all items. Throws if there is none, or if they are lists. */
export function elementType(...lists: readonly Items[]): string {
  let type: string | undefined;
  for (const item of lists.flat(1)) {
    const own = goTypeName(item);
    if (type === undefined && Array.isArray(item)) throw patchRejected('lists of lists are not supported');
    if (type !== undefined && type !== own) {
      throw unclassified(`list element types are not identical: ${formatGoValue(lists.map((list) => [...list]))}`);
    }
    type = own;
  }
  if (type === undefined) throw unclassified('no elements in any of the given slices');
  return type;
}

/** Applies the items that are directives. Returns the rest of the document and the patch without them. */
function applyItemDirectives(document: Items, patch: Items, mergeKey: string): { kept: Items; changes: Items } {
  const changes: JsonValue[] = [];
  const deleted = new Set<JsonValue | undefined>();
  let replaces = false;
  for (const item of patch) {
    const directive = isObject(item) ? getOwn(item, PATCH) : undefined;
    if (directive === undefined || !isObject(item)) {
      changes.push(item);
      continue;
    }
    switch (directive) {
      case 'delete': {
        const identity = getOwn(item, mergeKey);
        if (identity === undefined) throw noMergeKey(item, mergeKey);
        deleted.add(identity);
        break;
      }
      case 'replace':
        replaces = true;
        break;
      case 'merge':
        throw unclassified('merging lists cannot yet be specified in the patch');
      default:
        throw unknownDirective(directive, item);
    }
  }
  if (replaces) return { kept: changes, changes: [] };
  if (deleted.size === 0) return { kept: document, changes };
  return { kept: document.filter((item) => !isObject(item) || !deleted.has(getOwn(item, mergeKey))), changes };
}

function* mergeItems(document: Items, patch: Items, rule: FieldPatchRule, mergeObjects: MergeObjects): Steps<Items> {
  const merged = [...document];
  const places = new Map<JsonValue | undefined, number>();
  for (const [index, item] of merged.entries()) {
    const identity = isObject(item) ? getOwn(item, rule.mergeKey) : undefined;
    if (identity !== undefined && !places.has(identity)) places.set(identity, index);
  }
  for (const item of patch) {
    const identity = identityOf(item, rule.mergeKey);
    const place = places.get(identity);
    const current = place === undefined ? undefined : merged[place];
    if (place !== undefined && isObject(current) && isObject(item)) {
      merged[place] = yield* mergeObjects(current, item, rule.schema);
    } else {
      places.set(identity, merged.length);
      merged.push(item);
    }
  }
  return merged;
}
