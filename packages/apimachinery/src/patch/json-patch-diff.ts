import { deepEqual, getOwn, isObject, type JsonObject, type JsonValue } from '../json/index.js';

/** An operation of RFC 6902. */
export type JsonPatchChange =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: string };

/**
 * The JSON patch that turns `before` into `after`. Empty for equal documents. It descends into objects. In a list it
 * keeps the equal items at both ends and patches the items between them by position. The operations share values with
 * `after`.
 */
export function createJsonPatch(before: JsonValue, after: JsonValue): JsonPatchChange[] {
  const changes: JsonPatchChange[] = [];
  compare(before, after, '', changes);
  return changes;
}

function compare(before: JsonValue, after: JsonValue, path: string, changes: JsonPatchChange[]): void {
  if (isObject(before) && isObject(after)) compareObjects(before, after, path, changes);
  else if (Array.isArray(before) && Array.isArray(after)) compareLists(before, after, path, changes);
  else if (before !== after) changes.push({ op: 'replace', path, value: after });
}

function compareObjects(before: JsonObject, after: JsonObject, path: string, changes: JsonPatchChange[]): void {
  for (const [key, old] of Object.entries(before)) {
    if (old === undefined) continue;
    const value = getOwn(after, key);
    if (value === undefined) changes.push({ op: 'remove', path: pathOf(path, key) });
    else compare(old, value, pathOf(path, key), changes);
  }
  for (const [key, value] of Object.entries(after)) {
    if (value !== undefined && getOwn(before, key) === undefined) {
      changes.push({ op: 'add', path: pathOf(path, key), value });
    }
  }
}

function compareLists(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  path: string,
  changes: JsonPatchChange[],
): void {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && deepEqual(before[start], after[start])) start++;
  let kept = 0;
  while (kept < shorter - start && deepEqual(before.at(-1 - kept), after.at(-1 - kept))) kept++;
  const [beforeEnd, afterEnd] = [before.length - kept, after.length - kept];
  const common = Math.min(beforeEnd, afterEnd);
  for (let index = start; index < common; index++) {
    compare(before[index] ?? null, after[index] ?? null, `${path}/${index}`, changes);
  }
  // From the end, so that each removal leaves the indexes of the others unchanged.
  for (let index = beforeEnd - 1; index >= common; index--) changes.push({ op: 'remove', path: `${path}/${index}` });
  for (let index = common; index < afterEnd; index++) {
    changes.push({ op: 'add', path: `${path}/${index}`, value: after[index] ?? null });
  }
}

function pathOf(parent: string, key: string): string {
  return `${parent}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
