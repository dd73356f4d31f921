import { deepEqual, getOwn, isObject, type JsonObject, type JsonValue, setOwn, sortedKeys } from '../json/index.js';
import type { StructSchema } from '../schema/index.js';
import { unclassified } from '../status/index.js';
import { checkPreconditions, PatchConflictError, type PatchPrecondition } from './diff-errors.js';
import { goTypeName } from './go-type-name.js';
import { patchesConflict } from './strategic-conflicts.js';
import { DELETE_FROM_PRIMITIVE_LIST, PATCH, RETAIN_KEYS, SET_ELEMENT_ORDER } from './strategic-directives.js';
import { diffList, type DiffParts } from './strategic-diff-list.js';
import { combineStrategicMergePatches } from './strategic-merge.js';
import { type FieldPatchRule, listRule, objectRule, type PatchSchema, structSchema } from './strategic-schema.js';

/**
 * The strategic merge patch from `original` to `modified`. In a list with merge keys, `$setElementOrder` determines the
 * place of items that `modified` does not name. Empty if nothing changes, except for fields with strategy `replace`,
 * which upstream always sends. Throws a StatusError with upstream's message for unknown fields and lists that cannot be
 * merged, and `PatchPreconditionError`. Upstream: `strategicpatch.CreateTwoWayMergePatch`.
 */
export function createStrategicMergePatch(
  original: JsonObject,
  modified: JsonObject,
  schema: StructSchema,
  preconditions: readonly PatchPrecondition[] = [],
): JsonObject {
  const parts = { changes: true, deletions: true, order: true };
  const patch = diffObjects(original, modified, structSchema(schema), parts, false);
  checkPreconditions(patch, preconditions);
  return patch;
}

export interface ThreeWayOptions {
  /** False: throw `PatchConflictError` if others have changed the patched fields since the last apply. Default true. */
  readonly overwrite?: boolean;
  readonly preconditions?: readonly PatchPrecondition[];
}

/**
 * The patch from `current` to `modified` that keeps additions of others: the changes from `current`, and the deletions
 * from `original`, the last applied object. Throws like {@link createStrategicMergePatch}, and `PatchConflictError`.
 * Upstream: `strategicpatch.CreateThreeWayMergePatch`.
 */
export function createThreeWayStrategicMergePatch(
  original: JsonObject,
  modified: JsonObject,
  current: JsonObject,
  schema: StructSchema,
  options: ThreeWayOptions = {},
): JsonObject {
  const type = structSchema(schema);
  const changes = diffObjects(current, modified, type, { changes: true, deletions: false, order: true }, false);
  const deletions = diffObjects(original, modified, type, { changes: false, deletions: true, order: true }, false);
  const patch = combineStrategicMergePatches(deletions, changes, type);
  checkPreconditions(patch, options.preconditions ?? []);
  if (options.overwrite === false) {
    const others = diffObjects(original, current, type, { changes: true, deletions: true, order: false }, false);
    if (patchesConflict(patch, others, type)) throw new PatchConflictError(patch, others);
  }
  return patch;
}

function diffObjects(
  original: JsonObject,
  modified: JsonObject,
  schema: PatchSchema,
  parts: DiffParts,
  retainKeys: boolean,
): JsonObject {
  const patch: JsonObject = {};
  for (const key of Object.keys(modified)) {
    const wanted = modified[key];
    if (wanted !== undefined) diffField(patch, key, getOwn(original, key), wanted, schema, parts);
  }
  const lost = Object.keys(original).filter(
    (key) => original[key] !== undefined && getOwn(modified, key) === undefined,
  );
  if (parts.deletions) for (const key of lost) setOwn(patch, key, null);
  if (retainKeys && (Object.keys(patch).length > 0 || lost.some((key) => original[key] !== null))) {
    const retained = sortedKeys(modified).filter((key) => modified[key] !== null);
    if (retained.length > 0) patch[RETAIN_KEYS] = retained;
  }
  return patch;
}

function diffField(
  patch: JsonObject,
  key: string,
  current: JsonValue | undefined,
  wanted: JsonValue,
  schema: PatchSchema,
  parts: DiffParts,
): void {
  if (key === PATCH && current !== undefined) {
    if (typeof current !== 'string' || typeof wanted !== 'string') {
      throw unclassified(`invalid value for special key: ${PATCH}`);
    }
    if (current !== wanted) patch[PATCH] = wanted;
  } else if (isObject(current) && isObject(wanted)) {
    const rule = ruleUnlessEqual(objectRule, schema, key, current, wanted);
    if (rule === undefined) return;
    if (rule.strategy === 'replace') {
      if (parts.changes) setOwn(patch, key, wanted);
      return;
    }
    const inner = diffObjects(current, wanted, rule.schema, parts, rule.retainKeys);
    if (Object.keys(inner).length > 0) setOwn(patch, key, inner);
  } else if (Array.isArray(current) && Array.isArray(wanted)) {
    const rule = ruleUnlessEqual(listRule, schema, key, current, wanted);
    if (rule?.strategy === 'merge') setLists(patch, key, diffList(current, wanted, rule, parts, diffObjects));
    else if (parts.changes && !deepEqual(current, wanted)) setOwn(patch, key, wanted);
  } else if (parts.changes && (current !== wanted || goTypeName(current) !== goTypeName(wanted))) {
    setOwn(patch, key, wanted);
  }
}

/** Undefined for an unknown field, which matters only if its values differ. */
function ruleUnlessEqual(
  ruleFor: (schema: PatchSchema, name: string) => FieldPatchRule,
  schema: PatchSchema,
  key: string,
  current: JsonValue,
  wanted: JsonValue,
): FieldPatchRule | undefined {
  try {
    return ruleFor(schema, key);
  } catch (error) {
    if (deepEqual(current, wanted)) return undefined;
    throw error;
  }
}

function setLists(patch: JsonObject, key: string, difference: ReturnType<typeof diffList>): void {
  if (difference.items.length > 0) setOwn(patch, key, difference.items);
  if (difference.deleted.length > 0) setOwn(patch, `${DELETE_FROM_PRIMITIVE_LIST}/${key}`, difference.deleted);
  if (difference.order.length > 0) setOwn(patch, `${SET_ELEMENT_ORDER}/${key}`, difference.order);
}
