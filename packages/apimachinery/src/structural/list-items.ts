import { getOwn, isObject, type JsonObject, type JsonValue } from '../json/index.js';
import { duplicate, type FieldError, invalidValue } from '../status/index.js';
import type { ListFacts, SchemaNode } from './schema-node.js';
import { valueKey } from './value-key.js';

/**
 * Items of sets and keys of keyed lists may occur once. `path` is the value's own; `''` = the object itself.
 * Upstream: apiextensions `pkg/apiserver/schema/listtype`.
 */
export function validateListItems(value: JsonValue, schema: SchemaNode, path = ''): FieldError[] {
  if (!schema.hasKeyedLists) return [];
  if (Array.isArray(value)) {
    const { lists, items } = schema;
    return [
      ...(lists === undefined ? [] : validateList(value, lists, path)),
      ...(items === undefined
        ? []
        : value.flatMap((item, index) => validateListItems(item, items, `${path}[${index}]`))),
    ];
  }
  return isObject(value) ? validateFields(value, schema, path) : [];
}

function validateFields(object: JsonObject, schema: SchemaNode, path: string): FieldError[] {
  const { properties, additionalProperties } = schema;
  const errors: FieldError[] = [];
  for (const key of Object.keys(object)) {
    const value = getOwn(object, key) ?? null;
    if (typeof additionalProperties === 'object') {
      errors.push(...validateListItems(value, additionalProperties, `${path}[${key}]`));
    }
    const property = properties.get(key);
    if (property !== undefined) {
      errors.push(...validateListItems(value, property, path === '' ? key : `${path}.${key}`));
    }
  }
  return errors;
}

function validateList(list: readonly JsonValue[], { type, mapKeys }: ListFacts, path: string): FieldError[] {
  if (type === 'set') return repeated(list).map((index) => duplicate(`${path}[${index}]`, list[index]));
  if (type !== 'map') return [];
  const stranger = list.findIndex((item) => item !== null && !isObject(item));
  if (stranger >= 0) {
    return [invalidValue(`${path}[${stranger}]`, list[stranger], 'must be an object for an array of list-type map')];
  }
  const keys = list.map((item) => keysOf(item ?? null, mapKeys));
  return repeated(keys).map((index) => duplicate(`${path}[${index}]`, keys[index]));
}

function keysOf(item: JsonValue, names: readonly string[]): JsonObject {
  const keys: JsonObject = {};
  if (!isObject(item)) return keys;
  for (const name of [...names].sort()) {
    const value = getOwn(item, name);
    if (value !== undefined) keys[name] = value;
  }
  return keys;
}

/** Where a value comes a second time; a third time is not told. */
function repeated(values: readonly JsonValue[]): number[] {
  if (values.length <= 1) return [];
  const seen = new Map<string, number>();
  const indexes: number[] = [];
  for (const [index, value] of values.entries()) {
    const key = valueKey(value);
    const times = seen.get(key) ?? 0;
    if (times === 1) indexes.push(index);
    seen.set(key, times + 1);
  }
  return indexes;
}
