import { formatGoValue, getOwn, isObject, type JsonValue } from '../json/index.js';
import { badElementOrder, noMergeKey, PATCH, SET_ELEMENT_ORDER, wrongType } from './strategic-directives.js';
import { unclassified } from '../status/index.js';

/** The identity of an item in a merged list: its merge key, or the scalar itself. Throws if it has none. */
export function identityOf(item: JsonValue, mergeKey: string): JsonValue | undefined {
  if (mergeKey === '') return item;
  if (!isObject(item)) throw wrongType({}, item);
  const identity = getOwn(item, mergeKey);
  if (identity === undefined) throw noMergeKey(item, mergeKey);
  return identity;
}

type Positions = ReadonlyMap<JsonValue | undefined, number>;

function positionsOf(items: readonly JsonValue[], mergeKey: string): Positions {
  const positions = new Map<JsonValue | undefined, number>();
  for (const [index, item] of items.entries()) {
    const identity = identityOf(item, mergeKey);
    if (!positions.has(identity)) positions.set(identity, index);
  }
  return positions;
}

/**
 * The order of a merged list: items in `patchOrder` follow it, the others follow `serverOrder`, and the two are
 * interleaved by `serverOrder` as far as possible. Upstream: strategicpatch `normalizeElementOrder`.
 */
export function orderItems(
  merged: readonly JsonValue[],
  patchOrder: readonly JsonValue[],
  serverOrder: readonly JsonValue[],
  mergeKey: string,
): JsonValue[] {
  const inPatch = positionsOf(patchOrder, mergeKey);
  const onServer = positionsOf(serverOrder, mergeKey);
  const named: JsonValue[] = [];
  const others: JsonValue[] = [];
  for (const item of merged) (inPatch.has(identityOf(item, mergeKey)) ? named : others).push(item);
  const place = (positions: Positions, item: JsonValue) =>
    positions.get(identityOf(item, mergeKey)) ?? Number.MAX_SAFE_INTEGER;
  named.sort((a, b) => place(inPatch, a) - place(inPatch, b));
  others.sort((a, b) => place(onServer, a) - place(onServer, b));

  const result: JsonValue[] = [];
  let next = 0;
  for (const item of deletionsLast(named)) {
    const limit = onServer.get(identityOf(item, mergeKey)) ?? -1;
    for (let other = others[next]; other !== undefined && place(onServer, other) < limit; other = others[next]) {
      result.push(other);
      next++;
    }
    result.push(item);
  }
  return [...result, ...others.slice(next)];
}

/** In a combination of patches, an item may be both deleted and set, if its key occurred twice. */
function deletionsLast(items: readonly JsonValue[]): readonly JsonValue[] {
  const deletes = (item: JsonValue) => isObject(item) && getOwn(item, PATCH) === 'delete';
  return items.some(deletes) ? [...items.filter((item) => !deletes(item)), ...items.filter(deletes)] : items;
}

/** Stable; every item is in `order`. */
export function sortAs(items: readonly JsonValue[], order: readonly JsonValue[], mergeKey: string): JsonValue[] {
  const positions = positionsOf(order, mergeKey);
  const place = (item: JsonValue) => positions.get(identityOf(item, mergeKey)) ?? 0;
  return items.toSorted((a, b) => place(a) - place(b));
}

/** Items of the patch must be in the order of `$setElementOrder`. Upstream: `validatePatchWithSetOrderList`. */
export function checkElementOrder(items: readonly JsonValue[], order: readonly JsonValue[], mergeKey: string): void {
  if (items.length === 0 || order.length === 0) return;
  const kept = mergeKey === '' ? items : items.filter((item) => !isDeletion(item));
  let index = 0;
  for (const entry of order) {
    while (index < kept.length && isDirective(kept[index])) index++;
    const item = kept[index];
    if (item === undefined) return;
    if (identityOf(item, mergeKey) === identityOf(entry, mergeKey)) index++;
  }
  if (index < kept.length && !kept.slice(index).every(isDirective)) {
    throw unclassified(
      `The order in patch list:\n${formatGoValue([...items])}\n doesn't match ${SET_ELEMENT_ORDER} list:\n${formatGoValue([...order])}\n`,
    );
  }
}

export function asElementOrder(value: JsonValue): JsonValue[] {
  if (!Array.isArray(value)) throw value === null ? badElementOrder() : wrongType([], value);
  return value;
}

function isDeletion(item: JsonValue): boolean {
  if (!isObject(item)) throw wrongType({}, item);
  return getOwn(item, PATCH) === 'delete';
}

function isDirective(item: JsonValue | undefined): boolean {
  return isObject(item) && Object.hasOwn(item, PATCH);
}
