import { getOwn, isObject, type JsonObject, type JsonValue } from '../json/index.js';
import { duplicate, type FieldError, invalidValue } from '../status/index.js';
import type { ListFacts, SchemaNode } from './schema-node.js';
import { valueKey } from './value-key.js';

/**
 * Rejects duplicate items of sets and duplicate keys of keyed lists. `path` is that of the value; `''` = the object
 * itself. Upstream: apiextensions `pkg/apiserver/schema/listtype`.
 */
export function validateListItems(value: JsonValue, schema: SchemaNode, path = ''): FieldError[] {
  const errors: FieldError[] = [];
  collect(value, schema, path, errors);
  return errors;
}

/** The maximum number of errors for one value. The client corrects them and tries again. */
const MAXIMUM_ERRORS = 1000;

function collect(value: JsonValue, schema: SchemaNode, path: string, errors: FieldError[]): void {
  if (!schema.hasKeyedLists || errors.length >= MAXIMUM_ERRORS) return;
  if (Array.isArray(value)) {
    const { lists, items } = schema;
    if (lists !== undefined) validateList(value, lists, path, errors);
    if (items?.hasKeyedLists !== true) return;
    for (const [index, item] of value.entries()) collect(item, items, `${path}[${index}]`, errors);
  } else if (isObject(value)) collectFields(value, schema, path, errors);
}

function collectFields(object: JsonObject, schema: SchemaNode, path: string, errors: FieldError[]): void {
  const { properties, additionalProperties } = schema;
  for (const key of Object.keys(object)) {
    const value = getOwn(object, key) ?? null;
    if (typeof additionalProperties === 'object') collect(value, additionalProperties, `${path}[${key}]`, errors);
    const property = properties.get(key);
    if (property !== undefined) collect(value, property, path === '' ? key : `${path}.${key}`, errors);
  }
}

function validateList(
  list: readonly JsonValue[],
  { type, mapKeys }: ListFacts,
  path: string,
  errors: FieldError[],
): void {
  if (type === 'set') {
    for (const index of repeated(list)) errors.push(duplicate(`${path}[${index}]`, list[index]));
  }
  if (type !== 'map') return;
  const wrongType = list.findIndex((item) => item !== null && !isObject(item));
  if (wrongType >= 0) {
    errors.push(
      invalidValue(`${path}[${wrongType}]`, list[wrongType], 'must be an object for an array of list-type map'),
    );
    return;
  }
  const keys = list.map((item) => keysOf(item ?? null, mapKeys));
  for (const index of repeated(keys)) errors.push(duplicate(`${path}[${index}]`, keys[index]));
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

/** The index of the second occurrence of each value; later ones are not reported. */
function repeated(values: readonly JsonValue[]): number[] {
  if (values.length <= 1) return [];
  const seen = new Map<string, number>();
  const indexes: number[] = [];
  for (const [index, value] of values.entries()) {
    const key = valueKey(value);
    const times = seen.get(key) ?? 0;
    if (times === 1 && indexes.length < MAXIMUM_ERRORS) indexes.push(index);
    seen.set(key, times + 1);
  }
  return indexes;
}
