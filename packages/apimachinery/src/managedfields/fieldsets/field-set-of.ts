import { hasNoKeys, isObject, type JsonObject, type JsonValue, keysInSteps } from '../../json/index.js';
import type { FieldSchema, ListSchema, StructSchema } from '../../schema/index.js';
import { finish, Pace, type Steps } from '../../work/index.js';
import { emptyFieldSet, type FieldNode, type FieldSet } from './field-set.js';
import { ownedFields } from './owned-fields.js';
import { fieldElement } from './path-element.js';
import { emptyLevel } from './set-levels.js';
import { isEmptyStruct, type Presence, presentValue, unknownFields } from '../merge/presence.js';
import { granular, type GranularSchema, indexItemsInSteps, type OwnedSchema } from '../merge/structure.js';

/** About a millisecond of work. */
const ITEMS_PER_STEP = 1000;

/**
 * The fields that an object sets: its leaves, and the items of its granular maps and lists. Includes metadata that no
 * manager owns. Upstream: structured-merge-diff `TypedValue.ToFieldSet`.
 */
export function fieldSetOf(object: JsonObject, schema: StructSchema, presence: Presence = presentValue): FieldSet {
  return finish(fieldSetOfInSteps(object, schema, presence));
}

/** {@link fieldSetOf} in steps of some items. */
export function fieldSetOfInSteps(object: JsonObject, schema: StructSchema, presence: Presence): Steps<FieldSet> {
  return structSet(schema, object, { presence, pace: new Pace(ITEMS_PER_STEP) });
}

/** What all steps of a walk through one object share. */
interface Walk {
  readonly presence: Presence;
  readonly pace: Pace;
}

function* structSet(type: StructSchema, object: JsonObject, walk: Walk): Steps<FieldSet> {
  const { presence, pace } = walk;
  let level = emptyLevel();
  for (const { element, field } of ownedFields(type)) {
    const value = presence(object, field);
    if (value === undefined) continue;
    const structure = granular(field.value, value, field);
    const children = structure === undefined ? emptyFieldSet : yield* partsOf(structure, value, walk);
    // A value with children is not empty. To check that in a large map would be slow.
    const member =
      structure === undefined || value === null || (children.isEmpty && isEmptyObject(field, value, presence));
    if (member || !children.isEmpty) level = level.and(element, children.node(member));
  }
  for (const name of unknownFields(object, type)) {
    level = level.and(fieldElement(name), yield* itemNode('unknown', object[name] ?? null, walk));
    if (pace.endsStep()) yield;
  }
  return level.set();
}

/** The members below a granular value. */
function* partsOf(structure: GranularSchema, value: JsonValue, walk: Walk): Steps<FieldSet> {
  switch (structure.kind) {
    case 'struct':
      return isObject(value) ? yield* structSet(structure.struct.type, value, walk) : emptyFieldSet;
    case 'map':
      return yield* mapSet(structure.values, value, walk);
    case 'unknown':
      return yield* mapSet('unknown', value, walk);
    case 'list':
      return yield* listSet(structure.list, value, walk);
  }
}

function* mapSet(values: OwnedSchema, map: JsonValue, walk: Walk): Steps<FieldSet> {
  if (!isObject(map)) return emptyFieldSet;
  let level = emptyLevel();
  for (const key of yield* keysInSteps(map)) {
    const value = map[key];
    if (value === undefined) continue;
    level = level.and(
      fieldElement(key),
      granular(values, value) === undefined ? leaf : yield* itemNode(values, value, walk),
    );
    if (walk.pace.endsStep()) yield;
  }
  return level.set();
}

/** Duplicate items are owned as one, without their content. */
function* listSet(list: ListSchema, value: JsonValue, walk: Walk): Steps<FieldSet> {
  let level = emptyLevel();
  for (const [element, items] of yield* indexItemsInSteps(list, value, walk.presence)) {
    const [item] = items;
    const isSingle = items.length === 1 && item !== undefined;
    level = level.and(element, isSingle ? yield* itemNode(list.items, item, walk) : leaf);
    if (walk.pace.endsStep()) yield;
  }
  return level.set();
}

/** Items are members, whatever their content. */
function* itemNode(schema: OwnedSchema, value: JsonValue, walk: Walk): Steps<FieldNode> {
  const structure = granular(schema, value);
  if (structure === undefined) return leaf;
  const children = yield* partsOf(structure, value, walk);
  return children.node(true);
}

const leaf: FieldNode = emptyFieldSet.node(true);

function isEmptyObject({ value: schema }: FieldSchema, value: JsonValue, presence: Presence): boolean {
  if (!isObject(value)) return false;
  return schema.kind === 'struct' ? isEmptyStruct(value, schema.type, presence) : hasNoKeys(value);
}
