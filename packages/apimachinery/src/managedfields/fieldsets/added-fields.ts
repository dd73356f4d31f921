import { hasNoKeys, isObject, type JsonObject, type JsonValue, keysInSteps } from '../../json/index.js';
import type { ListSchema, StructSchema } from '../../schema/index.js';
import { Pace, type Steps, type WorkBudget } from '../../work/index.js';
import { equalValues } from '../merge/equality.js';
import { isEmptyStruct, presentValue, unknownFields } from '../merge/presence.js';
import { granular, type GranularSchema, indexItemsInSteps, type OwnedSchema } from '../merge/structure.js';
import { emptyFieldSet, type FieldNode, type FieldSet, WORK_OF_FIELD } from './field-set.js';
import { ownedFields } from './owned-fields.js';
import { fieldElement } from './path-element.js';
import { emptyLevel } from './set-levels.js';

/** About a millisecond of work. */
const ITEMS_PER_STEP = 500;

/** What the typed object shows before the create. Undefined if it shows no value. */
type Zero = JsonValue | undefined;

/**
 * The fields that a create adds: those that a comparison of the zero object with the new one finds added or modified. Takes
 * shared sets where it can, and then builds none. Throws 413 if the fields exceed the budget.
 */
export function addedFieldsInSteps(
  zero: JsonObject,
  object: JsonObject,
  schema: StructSchema,
  budget?: WorkBudget,
): Steps<FieldSet> {
  return structFields(schema, zero, object, { budget, pace: new Pace(ITEMS_PER_STEP) });
}

interface Walk {
  readonly budget: WorkBudget | undefined;
  readonly pace: Pace;
}

function* structFields(type: StructSchema, zero: Zero, object: JsonObject, walk: Walk): Steps<FieldSet> {
  const shown = isObject(zero) ? zero : undefined;
  let level = emptyLevel();
  for (const { element, field } of ownedFields(type)) {
    const value = presentValue(object, field);
    if (value === undefined) continue;
    const before = shown === undefined ? undefined : presentValue(shown, field);
    if (value === before) continue;
    const structure = granular(field.value, value, field);
    const node =
      structure === undefined
        ? leafNode(field.value, before, value, walk)
        : yield* granularNode(structure, field.value, before, value, walk);
    if (node !== undefined) level = level.and(element, node);
  }
  for (const name of unknownFields(object, type)) {
    level = level.and(fieldElement(name), yield* addedNode('unknown', object[name] ?? null, walk));
    if (walk.pace.endsStep()) yield;
  }
  return level.set();
}

function* mapFields(values: OwnedSchema, map: JsonValue, walk: Walk): Steps<FieldSet> {
  if (!isObject(map)) return emptyFieldSet;
  let level = emptyLevel();
  for (const key of yield* keysInSteps(map)) {
    const value = map[key];
    if (value === undefined) continue;
    const isLeaf = granular(values, value) === undefined;
    level = level.and(fieldElement(key), isLeaf ? addedLeaf(walk) : yield* addedNode(values, value, walk));
    if (walk.pace.endsStep()) yield;
  }
  return level.set();
}

/** Duplicate items are owned as one, without their content. */
function* itemFields(list: ListSchema, value: JsonValue, walk: Walk): Steps<FieldSet> {
  let level = emptyLevel();
  for (const [element, items] of yield* indexItemsInSteps(list, value, presentValue)) {
    const [item] = items;
    const isSingle = items.length === 1 && item !== undefined;
    level = level.and(element, isSingle ? yield* addedNode(list.items, item, walk) : addedLeaf(walk));
    if (walk.pace.endsStep()) yield;
  }
  return level.set();
}

/** The node of a value of which nothing is shown before. */
function* addedNode(schema: OwnedSchema, value: JsonValue, walk: Walk): Steps<FieldNode> {
  walk.budget?.spend(WORK_OF_FIELD);
  const structure = granular(schema, value);
  const parts = structure === undefined ? emptyFieldSet : yield* partsOf(structure, undefined, value, walk);
  return parts.node(true);
}

/** Undefined if the create changes neither the value nor a part of it. */
function* granularNode(
  structure: GranularSchema,
  schema: OwnedSchema,
  before: Zero,
  value: JsonValue,
  walk: Walk,
): Steps<FieldNode | undefined> {
  const parts = yield* partsOf(structure, before, value, walk);
  if (before !== undefined && !parts.isEmpty) return parts.node(false);
  if (before !== undefined) return isEmpty(structure, value) ? leafNode(schema, before, value, walk) : undefined;
  walk.budget?.spend(WORK_OF_FIELD);
  return parts.node(true);
}

function* partsOf(structure: GranularSchema, before: Zero, value: JsonValue, walk: Walk): Steps<FieldSet> {
  switch (structure.kind) {
    case 'struct':
      return isObject(value) ? yield* structFields(structure.struct.type, before, value, walk) : emptyFieldSet;
    case 'map':
      return yield* mapFields(structure.values, value, walk);
    case 'unknown':
      return yield* mapFields('unknown', value, walk);
    case 'list':
      return yield* itemFields(structure.list, value, walk);
  }
}

/** The node of a value that is owned as a whole. Undefined if it equals the zero value. */
function leafNode(schema: OwnedSchema, before: Zero, value: JsonValue, walk: Walk): FieldNode | undefined {
  const isSame = before !== undefined && equalValues(schema, before, value, presentValue);
  return isSame ? undefined : addedLeaf(walk);
}

function addedLeaf({ budget }: Walk): FieldNode {
  budget?.spend(WORK_OF_FIELD);
  return leaf;
}

const leaf: FieldNode = emptyFieldSet.node(true);

function isEmpty(structure: GranularSchema, value: JsonValue): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (!isObject(value)) return false;
  return structure.kind === 'struct' ? isEmptyStruct(value, structure.struct.type, presentValue) : hasNoKeys(value);
}
