import { formatGoValue, getOwn, isObject, type JsonObject, type JsonValue, sortedKeys } from '../json/index.js';
import { unclassified } from '../status/index.js';
import { PATCH, RETAIN_KEYS } from './strategic-directives.js';
import { elementType } from './strategic-list.js';
import { type FieldPatchRule, listRule, objectRule, type PatchSchema } from './strategic-schema.js';

type Items = readonly JsonValue[];

/**
 * Whether two strategic merge patches of one type conflict. They do if they set a field to different values, or if one
 * replaces or deletes an object that the other changes. Upstream: strategicpatch `MergingMapsHaveConflicts`.
 */
export function patchesConflict(left: JsonObject, right: JsonObject, schema: PatchSchema): boolean {
  return valuesConflict(left, right, { schema, strategy: undefined, retainKeys: false, mergeKey: '' });
}

function valuesConflict(left: JsonValue, right: JsonValue, rule: FieldPatchRule): boolean {
  if (isObject(left)) {
    if (!isObject(right) || getOwn(left, PATCH) !== getOwn(right, PATCH)) return true;
    return rule.strategy !== 'replace' && fieldsConflict(left, right, rule.schema);
  }
  if (Array.isArray(left)) return !Array.isArray(right) || listsConflict(left, right, rule);
  return left !== right;
}

function fieldsConflict(left: JsonObject, right: JsonObject, schema: PatchSchema): boolean {
  for (const key of sortedKeys(left)) {
    const [mine, other] = [left[key], getOwn(right, key)];
    if (key === PATCH || key === RETAIN_KEYS || mine === undefined || other === undefined) continue;
    if (valuesConflict(mine, other, ruleFor(mine, key, schema))) return true;
  }
  return false;
}

function ruleFor(value: JsonValue, key: string, schema: PatchSchema): FieldPatchRule {
  if (Array.isArray(value)) return listRule(schema, key);
  return isObject(value) ? objectRule(schema, key) : { ...UNKNOWN };
}

const UNKNOWN: FieldPatchRule = { schema: undefined, strategy: undefined, retainKeys: false, mergeKey: '' };

function listsConflict(left: Items, right: Items, rule: FieldPatchRule): boolean {
  const ofObjects = elementType(left, right) === 'map[string]interface {}';
  const items: FieldPatchRule = { ...UNKNOWN, schema: rule.schema };
  if (rule.strategy === 'merge') {
    if (!ofObjects) return false;
    const [mine, others] = [byMergeKey(left, rule.mergeKey), byMergeKey(right, rule.mergeKey)];
    return [...mine].some(([identity, item]) => {
      const other = others.get(identity);
      return other !== undefined && valuesConflict(item, other, items);
    });
  }
  if (left.length !== right.length) return true;
  const [mine, others] = ofObjects ? [left, right] : [sortedOnce(left), sortedOnce(right)];
  return mine.some((item, index) => valuesConflict(item, others[index] ?? null, items));
}

function sortedOnce(items: Items): Items {
  return [...new Set(items)].sort((a, b) => (formatGoValue(a) < formatGoValue(b) ? -1 : 1));
}

function byMergeKey(items: Items, mergeKey: string): Map<string, JsonObject> {
  const result = new Map<string, JsonObject>();
  for (const item of items) {
    if (!isObject(item)) throw unclassified(`invalid element type in merging list:${formatGoValue([...items])}`);
    const identity = getOwn(item, mergeKey);
    if (identity === undefined) {
      throw unclassified(`cannot find merge key \`${mergeKey}\` in merging list element:${formatGoValue(item)}`);
    }
    result.set(formatGoValue(identity), item);
  }
  return result;
}
