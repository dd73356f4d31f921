import { isObject, type JsonObject, type JsonValue } from '../../json/index.js';
import type { FieldSchema, ListSchema, StructSchema } from '../../schema/index.js';
import { emptyFieldSet, type FieldNode, FieldSet } from './field-set.js';
import { fieldElement, type PathElement } from './path-element.js';
import { isEmptyStruct, type Presence, presentValue, unknownFields } from '../merge/presence.js';
import { granular, indexItems, type OwnedSchema } from '../merge/structure.js';

/**
 * The fields that an object sets: its leaves, and the items of its granular maps and lists. Includes metadata that no
 * manager owns. Upstream: structured-merge-diff `TypedValue.ToFieldSet`.
 */
export function fieldSetOf(object: JsonObject, schema: StructSchema, presence: Presence = presentValue): FieldSet {
  return structSet(schema, object, presence);
}

function structSet(type: StructSchema, object: JsonObject, presence: Presence): FieldSet {
  const nodes = new Map<PathElement, FieldNode>();
  for (const field of type.fields) {
    const value = presence(object, field);
    if (value === undefined) continue;
    const parts = partsOf(field.value, value, presence, field);
    const member = parts === undefined || value === null || isEmptyObject(field, value, presence);
    const children = parts ?? emptyFieldSet;
    if (member || !children.isEmpty) nodes.set(fieldElement(field.name), { member, children });
  }
  for (const name of unknownFields(object, type)) {
    nodes.set(fieldElement(name), itemNode('unknown', object[name] ?? null, presence));
  }
  return setOf(nodes);
}

/** The members below a granular value; undefined for a value that is owned as a whole. */
function partsOf(schema: OwnedSchema, value: JsonValue, presence: Presence, field?: FieldSchema): FieldSet | undefined {
  const structure = granular(schema, value, field);
  switch (structure?.kind) {
    case undefined:
      return undefined;
    case 'struct':
      return isObject(value) ? structSet(structure.struct.type, value, presence) : emptyFieldSet;
    case 'map':
      return mapSet(structure.values, value, presence);
    case 'unknown':
      return mapSet('unknown', value, presence);
    case 'list':
      return listSet(structure.list, value, presence);
  }
}

function mapSet(values: OwnedSchema, map: JsonValue, presence: Presence): FieldSet {
  if (!isObject(map)) return emptyFieldSet;
  const nodes = new Map<PathElement, FieldNode>();
  for (const key of Object.keys(map)) {
    const value = map[key];
    if (value !== undefined) nodes.set(fieldElement(key), itemNode(values, value, presence));
  }
  return setOf(nodes);
}

/** Duplicate items are owned as one, without their content. */
function listSet(list: ListSchema, value: JsonValue, presence: Presence): FieldSet {
  const nodes = new Map<PathElement, FieldNode>();
  for (const [element, items] of indexItems(list, value, presence)) {
    const [item] = items;
    nodes.set(element, items.length === 1 && item !== undefined ? itemNode(list.items, item, presence) : leaf);
  }
  return setOf(nodes);
}

/** Items are members, whatever their content. */
function itemNode(schema: OwnedSchema, value: JsonValue, presence: Presence): FieldNode {
  const children = partsOf(schema, value, presence);
  return children === undefined || children.isEmpty ? leaf : { member: true, children };
}

const leaf: FieldNode = { member: true, children: emptyFieldSet };

function setOf(nodes: ReadonlyMap<PathElement, FieldNode>): FieldSet {
  return nodes.size === 0 ? emptyFieldSet : new FieldSet(nodes);
}

function isEmptyObject({ value: schema }: FieldSchema, value: JsonValue, presence: Presence): boolean {
  if (!isObject(value)) return false;
  return schema.kind === 'struct' ? isEmptyStruct(value, schema.type, presence) : Object.keys(value).length === 0;
}
