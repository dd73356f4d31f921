import { isObject, type JsonObject, type JsonValue, setOwn } from '../../json/index.js';
import type { ListSchema, StructSchema } from '../../schema/index.js';
import type { FieldSet } from '../fieldsets/field-set.js';
import { fieldElement } from '../fieldsets/path-element.js';
import { writtenValue } from './presence.js';
import { type Below, granular, listElement, type OwnedSchema, schemaBelow } from './structure.js';

/**
 * Removes the members of a set, and everything below them. An object that loses its last part stays, empty; a list
 * becomes null, which is a value. Both keep their owners. Shares unchanged parts with the object. Upstream: structured-merge-diff `TypedValue.RemoveItems`.
 */
export function removeFields(object: JsonObject, set: FieldSet, type: StructSchema): JsonObject {
  return set.isEmpty ? object : removeFromObject(object, set, { kind: 'struct', type });
}

function removeFromObject(object: JsonObject, set: FieldSet, schema: OwnedSchema): JsonObject {
  const rest: JsonObject = {};
  for (const name of Object.keys(object)) {
    const value = object[name];
    const element = fieldElement(name);
    if (value === undefined || set.hasMember(element)) continue;
    setOwn(rest, name, removeFromValue(value, set.below(element), schemaBelow(schema, element)));
  }
  return rest;
}

function removeFromValue(value: JsonValue, set: FieldSet, part: Below | undefined): JsonValue {
  if (set.isEmpty || part === undefined) return value;
  const structure = granular(part.schema, value, part.field);
  if (Array.isArray(value)) {
    const rest = structure?.kind === 'list' ? removeFromList(value, set, structure.list) : [];
    return rest.length === 0 ? null : rest;
  }
  if (!isObject(value)) return value;
  return structure === undefined ? {} : removeFromObject(value, set, part.schema);
}

function removeFromList(items: readonly JsonValue[], set: FieldSet, list: ListSchema): JsonValue[] {
  const rest: JsonValue[] = [];
  for (const item of items) {
    const element = listElement(list, item, writtenValue);
    if (element === undefined) rest.push(item);
    else if (!set.hasMember(element)) rest.push(removeFromValue(item, set.below(element), { schema: list.items }));
  }
  return rest;
}
