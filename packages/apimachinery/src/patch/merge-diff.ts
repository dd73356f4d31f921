import { deepEqual, getOwn, isObject, type JsonObject, setOwn } from '../json/index.js';
import { checkPreconditions, type PatchPrecondition } from './diff-errors.js';
import { applyMergePatch } from './merge-patch.js';

/**
 * The JSON merge patch (RFC 7386) from `original` to `modified`. Replaces lists. A merge patch cannot set null, so a
 * null in `modified` deletes. Upstream: evanphx/json-patch v4 `CreateMergePatch`, except that integers stay exact.
 */
export function createMergePatch(original: JsonObject, modified: JsonObject): JsonObject {
  const patch: JsonObject = {};
  for (const key of Object.keys(modified)) {
    const wanted = modified[key];
    if (wanted === undefined) continue;
    const current = getOwn(original, key);
    if (isObject(current) && isObject(wanted)) {
      const inner = createMergePatch(current, wanted);
      if (Object.keys(inner).length > 0) setOwn(patch, key, inner);
    } else if (!deepEqual(current, wanted)) {
      setOwn(patch, key, wanted);
    }
  }
  for (const key of Object.keys(original)) {
    if (original[key] !== undefined && getOwn(modified, key) === undefined) setOwn(patch, key, null);
  }
  return patch;
}

/**
 * The patch from `current` to `modified` that keeps additions of others: the changes from `current`, and the deletions
 * from `original`, the last applied object. Throws `PatchPreconditionError`. Changes contain only fields of `modified`
 * and deletions only fields missing there, so the two cannot conflict. Upstream: apimachinery
 * `jsonmergepatch.CreateThreeWayJSONMergePatch`.
 */
export function createThreeWayMergePatch(
  original: JsonObject,
  modified: JsonObject,
  current: JsonObject,
  preconditions: readonly PatchPrecondition[] = [],
): JsonObject {
  const changes = withoutDeletions(createMergePatch(current, modified));
  const deletions = onlyDeletions(createMergePatch(original, modified));
  const patch = applyMergePatch(deletions, changes);
  checkPreconditions(patch, preconditions);
  return patch;
}

/** An originally empty object in a patch is a value; an object of only deletions is dropped. */
function withoutDeletions(patch: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const key of Object.keys(patch)) {
    const change = patch[key];
    if (change === undefined || change === null) continue;
    const kept = isObject(change) ? withoutDeletions(change) : change;
    if (isObject(change) && isObject(kept) && Object.keys(kept).length === 0 && Object.keys(change).length > 0)
      continue;
    setOwn(result, key, kept);
  }
  return result;
}

function onlyDeletions(patch: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const key of Object.keys(patch)) {
    const change = patch[key];
    if (change === null) setOwn(result, key, null);
    if (!isObject(change)) continue;
    const kept = onlyDeletions(change);
    if (Object.keys(kept).length > 0) setOwn(result, key, kept);
  }
  return result;
}
