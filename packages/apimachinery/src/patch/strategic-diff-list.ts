import {
  formatGoValue,
  compareUtf8,
  deepEqual,
  getOwn,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../json/index.js';
import { noMergeKey, PATCH, wrongType } from './strategic-directives.js';
import { elementType } from './strategic-list.js';
import { sortAs } from './strategic-order.js';
import type { FieldPatchRule, PatchSchema } from './strategic-schema.js';

/** Which parts of a difference a patch contains. */
export interface DiffParts {
  readonly changes: boolean;
  readonly deletions: boolean;
  /** `$setElementOrder/x` for every merged list that differs. */
  readonly order: boolean;
}

/** `retainKeys`: the patch must name all fields of `modified`, so that all others are removed. */
export type DiffObjects = (
  original: JsonObject,
  modified: JsonObject,
  schema: PatchSchema,
  parts: DiffParts,
  retainKeys: boolean,
) => JsonObject;

/** The patch of a merged list. */
export interface ListDifference {
  /** Items to add, to change and, for objects, to delete. */
  readonly items: JsonValue[];
  /** Scalars to delete. */
  readonly deleted: JsonValue[];
  /** The content of `$setElementOrder`; empty if it is not needed. */
  readonly order: JsonValue[];
}

type Items = readonly JsonValue[];

/** Upstream: strategicpatch `diffLists`. */
export function diffList(
  original: Items,
  modified: Items,
  rule: FieldPatchRule,
  parts: DiffParts,
  diffObjects: DiffObjects,
): ListDifference {
  if (original.length === 0) return { items: parts.changes ? [...modified] : [], deleted: [], order: [] };
  return elementType(original, modified) === 'map[string]interface {}'
    ? diffObjectList(original, modified, rule, parts, diffObjects)
    : diffScalarList(original, modified, parts);
}

function diffObjectList(
  original: Items,
  modified: Items,
  rule: FieldPatchRule,
  parts: DiffParts,
  diffObjects: DiffObjects,
): ListDifference {
  const { mergeKey } = rule;
  const [before, after] = [keyed(original, mergeKey), keyed(modified, mergeKey)];
  const changed: JsonValue[] = [];
  const deletions: JsonValue[] = [];
  for (const [mine, wanted] of pairs(before, after)) {
    if (mine !== undefined && wanted !== undefined) {
      const inner = diffObjects(mine.item, wanted.item, rule.schema, parts, rule.retainKeys);
      if (Object.keys(inner).length > 0) changed.push({ ...inner, [mergeKey]: wanted.identity });
    } else if (wanted !== undefined) {
      if (parts.changes) changed.push(wanted.item);
    } else if (mine !== undefined && parts.deletions) {
      deletions.push({ [mergeKey]: mine.identity, [PATCH]: 'delete' });
    }
  }
  const items = [...sortAs(changed, modified, mergeKey), ...deletions];
  const needsOrder = items.length > 0 || (parts.changes && !sameOrder(original, modified, mergeKey));
  const order = parts.order && needsOrder ? modified.map((item) => ({ [mergeKey]: identityIn(item, mergeKey) })) : [];
  return { items, deleted: [], order };
}

/**
 * Upstream sorts the original in place before it compares. So the order counts as changed when `modified` differs from
 * the sorted original.
 */
function diffScalarList(original: Items, modified: Items, parts: DiffParts): ListDifference {
  const [before, after] = [sorted(original.map(printed)), sorted(modified.map(printed))];
  const added: JsonValue[] = [];
  const deleted: JsonValue[] = [];
  for (const [mine, wanted] of pairs(before, after)) {
    if (mine === undefined && wanted !== undefined && parts.changes) added.push(wanted.item);
    if (wanted === undefined && mine !== undefined && parts.deletions) deleted.push(mine.item);
  }
  const changes =
    parts.changes &&
    !deepEqual(
      before.map(({ item }) => item),
      [...modified],
    );
  const needsOrder = parts.order && (deleted.length > 0 || changes);
  return {
    items: sortAs(added, modified, ''),
    deleted: withoutRepeats(deleted),
    order: needsOrder ? [...modified] : [],
  };
}

interface Printed<T extends JsonValue = JsonValue> {
  readonly text: string;
  readonly item: T;
}

interface Keyed extends Printed<JsonObject> {
  readonly identity: JsonValue;
}

function printed(item: JsonValue): Printed {
  return { text: formatGoValue(item), item };
}

/** Objects with equal keys come in reverse, as upstream's sort leaves them in short lists. */
function keyed(items: Items, mergeKey: string): Keyed[] {
  const reversed = items.toReversed().map((item) => {
    if (!isObject(item)) throw wrongType({}, item);
    const identity = identityIn(item, mergeKey);
    return { text: formatGoValue(identity), item, identity };
  });
  return sorted(reversed);
}

function sorted<T extends Printed>(items: T[]): T[] {
  return items.sort((a, b) => compareUtf8(a.text, b.text));
}

/** Pairs the items of two sorted lists by their printed form; an item of only one list has an empty partner. */
function* pairs<T extends Printed>(
  before: readonly T[],
  after: readonly T[],
): Generator<[T | undefined, T | undefined]> {
  let [left, right] = [0, 0];
  while (left < before.length || right < after.length) {
    const [mine, wanted] = [before[left], after[right]];
    const order = mine === undefined ? 1 : wanted === undefined ? -1 : compareUtf8(mine.text, wanted.text);
    yield [order <= 0 ? mine : undefined, order >= 0 ? wanted : undefined];
    if (order <= 0) left++;
    if (order >= 0) right++;
  }
}

function identityIn(item: JsonValue, mergeKey: string): JsonValue {
  if (!isObject(item)) throw wrongType({}, item);
  const identity = getOwn(item, mergeKey);
  if (identity === undefined) throw noMergeKey(item, mergeKey);
  return identity;
}

function sameOrder(original: Items, modified: Items, mergeKey: string): boolean {
  return (
    original.length === modified.length &&
    original.every((item, index) => identityIn(item, mergeKey) === identityIn(modified[index] ?? null, mergeKey))
  );
}

/** Upstream replaces a repeated item by the last one. */
function withoutRepeats(items: readonly JsonValue[]): JsonValue[] {
  const result = [...items];
  const seen = new Set<JsonValue>();
  for (let index = 0; index < result.length; ) {
    const item = result[index] ?? null;
    if (!seen.has(item)) {
      seen.add(item);
      index++;
      continue;
    }
    const last = result.pop() ?? null;
    if (index < result.length) result[index] = last;
  }
  return result;
}
