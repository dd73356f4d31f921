import {
  copyMembersInSteps,
  deepEqual,
  formatGoValue,
  getOwn,
  isObject,
  type JsonObject,
  type JsonValue,
  keysInSteps,
  setOwn,
} from '../json/index.js';
import type { StructSchema } from '../schema/index.js';
import { unclassified } from '../status/index.js';
import { finish, Pace, type Steps } from '../work/index.js';
import {
  badPrimitiveList,
  badElementOrder,
  badRetainKeys,
  DELETE_FROM_PRIMITIVE_LIST,
  directiveTarget,
  PATCH,
  plainValue,
  RETAIN_KEYS,
  SET_ELEMENT_ORDER,
  unknownDirective,
  wrongType,
} from './strategic-directives.js';
import { deleteFromList, elementType, type MergeObjects, mergeList } from './strategic-list.js';
import { asElementOrder, checkElementOrder, orderItems } from './strategic-order.js';
import { findField, listRule, objectRule, type PatchSchema, structSchema } from './strategic-schema.js';

/**
 * Strategic merge: lists merge by the keys and strategies of the schema, controlled by `$patch`, `$retainKeys`,
 * `$setElementOrder/x` and `$deleteFromPrimitiveList/x`. Throws a StatusError with upstream's message (400, 422, or, as
 * upstream, a bare 500). Upstream: apimachinery `strategicpatch.StrategicMergeMapPatch`.
 */
export function applyStrategicMergePatch(document: JsonObject, patch: JsonObject, schema: StructSchema): JsonObject {
  return finish(applyStrategicMergePatchInSteps(document, patch, schema));
}

/** {@link applyStrategicMergePatch} in steps. */
export function applyStrategicMergePatchInSteps(
  document: JsonObject,
  patch: JsonObject,
  schema: StructSchema,
): Steps<JsonObject> {
  return new Merge(false).mergeObjects(document, patch, structSchema(schema));
}

/**
 * Combines two strategic merge patches to one that applies `first`, then `second`. Keeps nulls and directives for the
 * server. Both patches must have been computed for the same target object: throws a StatusError if their
 * `$setElementOrder` or `$retainKeys` differ. Upstream: `mergeMap` without `MergeParallelList` and `IgnoreUnmatchedNulls`.
 */
export function combineStrategicMergePatches(first: JsonObject, second: JsonObject, schema: PatchSchema): JsonObject {
  return finish(new Merge(true).mergeObjects(first, second, schema));
}

/** About a millisecond of work. */
const FIELDS_PER_STEP = 2000;

/** One merge. For an object, directives and nulls are applied; into another patch (`intoPatch`), they are kept. */
class Merge {
  readonly intoPatch: boolean;
  readonly pace = new Pace(FIELDS_PER_STEP);

  constructor(intoPatch: boolean) {
    this.intoPatch = intoPatch;
  }

  readonly mergeObjects: MergeObjects = (document, patch, schema) => mergeObjects(document, patch, schema, this);
}

function* mergeObjects(document: JsonObject, patch: JsonObject, schema: PatchSchema, merge: Merge): Steps<JsonObject> {
  const directive = getOwn(patch, PATCH);
  if (directive !== undefined) return yield* applyObjectDirective(directive, patch, merge.pace);
  const result = yield* merge.intoPatch
    ? withRetainKeys(document, patch, merge.pace)
    : retainedFields(document, patch, merge.pace);
  const keys = yield* keysInSteps(patch);
  const done = yield* mergeOrderedLists(result, patch, keys, schema, merge);
  for (const key of keys) {
    if (merge.pace.endsStep()) yield;
    const change = patch[key];
    if (change === undefined || key === RETAIN_KEYS || done.has(key)) continue;
    if (!key.startsWith(DELETE_FROM_PRIMITIVE_LIST)) yield* mergeField(result, key, change, schema, merge);
    else if (merge.intoPatch) setOwn(result, key, change);
    else yield* deleteItems(result, key, change, schema, merge);
  }
  return result;
}

function* applyObjectDirective(directive: JsonValue, patch: JsonObject, pace: Pace): Steps<JsonObject> {
  if (directive === 'delete') return {};
  if (directive !== 'replace') throw unknownDirective(directive, patch);
  const replacement = yield* copyMembersInSteps(patch, pace);
  delete replacement[PATCH];
  return replacement;
}

/** A copy of the document with only the fields that `$retainKeys` names, if present. */
function* retainedFields(document: JsonObject, patch: JsonObject, pace: Pace): Steps<JsonObject> {
  const directive = getOwn(patch, RETAIN_KEYS);
  if (directive === undefined) return yield* copyMembersInSteps(document, pace);
  if (!Array.isArray(directive)) throw badRetainKeys();
  const retained = new Set<JsonValue>(directive);
  for (const key of Object.keys(patch)) {
    if (key === RETAIN_KEYS || patch[key] === null || patch[key] === undefined) continue;
    if (key.startsWith(DELETE_FROM_PRIMITIVE_LIST) || key.startsWith(SET_ELEMENT_ORDER)) continue;
    if (!retained.has(key)) throw badRetainKeys();
  }
  const result: JsonObject = {};
  for (const key of Object.keys(document)) {
    const value = document[key];
    if (value !== undefined && retained.has(key)) setOwn(result, key, value);
  }
  return result;
}

/** A copy of the first patch with the `$retainKeys` of the second. */
function* withRetainKeys(first: JsonObject, second: JsonObject, pace: Pace): Steps<JsonObject> {
  const [mine, other] = [getOwn(first, RETAIN_KEYS), getOwn(second, RETAIN_KEYS)];
  if (other === undefined) return yield* copyMembersInSteps(first, pace);
  if (mine === undefined) return { ...first, [RETAIN_KEYS]: other };
  if (deepEqual(mine, other)) return { ...first };
  throw unclassified(
    `${formatGoValue(mine)} and ${formatGoValue(other)} are not deep equal: this may happen when calculating the 3-way diff patch`,
  );
}

/** Merges the lists whose order the patch sets. Returns the keys of the patch that this has processed. */
function* mergeOrderedLists(
  result: JsonObject,
  patch: JsonObject,
  keys: readonly string[],
  schema: PatchSchema,
  merge: Merge,
): Steps<ReadonlySet<string>> {
  const done = new Set<string>();
  for (const key of keys) {
    if (!key.startsWith(SET_ELEMENT_ORDER)) continue;
    done.add(key);
    const order = asElementOrder(patch[key] ?? null);
    if (merge.intoPatch) {
      if (!deepEqual(getOwn(result, key) ?? order, order)) throw badElementOrder();
      setOwn(result, key, order);
    }
    const name = directiveTarget(key, SET_ELEMENT_ORDER);
    if (name === undefined) throw badElementOrder();
    const current = listAt(result, name);
    const change = listAt(patch, name);
    const rule = listRule(schema, name);
    checkElementOrder(change ?? [], order, rule.mergeKey);
    if (current === undefined && change === undefined) continue;
    const merged =
      change === undefined
        ? (current ?? [])
        : current === undefined
          ? asList(yield* plainValue([...change], false, merge.pace))
          : rule.strategy === 'merge'
            ? yield* mergeList(current, change, rule, merge.mergeObjects)
            : change;
    // Throws for items of mixed types, for lists of lists and for lists without items.
    elementType(current ?? [], change ?? []);
    setOwn(result, name, orderItems(merged, order, current ?? [], rule.mergeKey));
    done.add(name);
  }
  return done;
}

function listAt(object: JsonObject, name: string): readonly JsonValue[] | undefined {
  const value = getOwn(object, name);
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw wrongType([], value);
  return value;
}

function asList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function* deleteItems(
  result: JsonObject,
  key: string,
  change: JsonValue,
  schema: PatchSchema,
  merge: Merge,
): Steps<void> {
  const name = directiveTarget(key, DELETE_FROM_PRIMITIVE_LIST);
  if (name === undefined) throw badPrimitiveList();
  if (change === null) {
    delete result[name];
    return;
  }
  const current = getOwn(result, name);
  if (!Array.isArray(current) || !Array.isArray(change)) return;
  setOwn(result, name, [...(yield* deleteFromList(current, change, listRule(schema, name), merge.mergeObjects))]);
}

function* mergeField(
  result: JsonObject,
  key: string,
  change: JsonValue,
  schema: PatchSchema,
  merge: Merge,
): Steps<void> {
  if (change === null) {
    if (merge.intoPatch) setOwn(result, key, null);
    else delete result[key];
    return;
  }
  const current = getOwn(result, key) ?? (merge.intoPatch ? undefined : impliedObject(change, key, schema));
  if (isObject(current) && isObject(change)) {
    const rule = objectRule(schema, key);
    setOwn(result, key, rule.strategy === 'replace' ? change : yield* merge.mergeObjects(current, change, rule.schema));
    return;
  }
  if (Array.isArray(current) && Array.isArray(change)) {
    const rule = listRule(schema, key);
    const merged =
      rule.strategy === 'merge' ? [...(yield* mergeList(current, change, rule, merge.mergeObjects))] : change;
    setOwn(result, key, merged);
    return;
  }
  const value = yield* plainValue(change, !merge.intoPatch, merge.pace);
  if (value === undefined) delete result[key];
  else setOwn(result, key, value);
}

/** A struct held by value exists in Go even if the document omits it, so a patch can merge into it. */
function impliedObject(change: JsonValue, key: string, schema: PatchSchema): JsonObject | undefined {
  if (!isObject(change)) return undefined;
  const field = findField(schema, key);
  return field !== undefined && field.value.kind === 'struct' && !field.pointer ? {} : undefined;
}
