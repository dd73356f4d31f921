import { deepCopy, getOwn, isObject, type JsonObject, type JsonValue, setOwn } from '../json/index.js';
import type { SchemaNode } from './schema-node.js';

/**
 * Fills in, in place, what the schema has defaults for, inside of defaults too. A null that may not be one counts as absent.
 * Upstream: apiextensions `pkg/apiserver/schema/defaulting`.
 */
export function applySchemaDefaults(value: JsonValue, schema: SchemaNode): void {
  if (!schema.hasDefaults) return;
  if (Array.isArray(value)) applyToItems(value, schema.items);
  else if (isObject(value)) applyToFields(value, schema);
}

function applyToFields(object: JsonObject, { properties, additionalProperties }: SchemaNode): void {
  for (const [name, property] of properties) {
    const value = getOwn(object, name);
    if (property.default !== undefined && (value === undefined || (value === null && !property.nullable))) {
      setOwn(object, name, deepCopy(property.default));
    }
    const filled = getOwn(object, name);
    if (filled !== undefined) applySchemaDefaults(filled, property);
  }
  if (typeof additionalProperties !== 'object') return;
  for (const name of Object.keys(object)) {
    if (properties.has(name)) continue;
    if (getOwn(object, name) === null && !additionalProperties.nullable) {
      setOwn(object, name, deepCopy(additionalProperties.default ?? null));
    }
    applySchemaDefaults(getOwn(object, name) ?? null, additionalProperties);
  }
}

function applyToItems(list: JsonValue[], items: SchemaNode | undefined): void {
  if (items === undefined) return;
  for (const [index, item] of list.entries()) {
    if (item === null && !items.nullable) list[index] = deepCopy(items.default ?? null);
    applySchemaDefaults(list[index] ?? null, items);
  }
}

/** Removes, in place, nulls of fields that may not be null and have no default: as if they had not been written. */
export function pruneNulls(value: JsonValue, schema: SchemaNode | undefined): void {
  if (Array.isArray(value)) {
    for (const item of value) pruneNulls(item, schema?.items);
    return;
  }
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) {
    const node = schema === undefined ? undefined : schemaBelow(schema, key);
    const field = getOwn(value, key);
    if (field === null && node !== undefined && !node.nullable && node.default === undefined) delete value[key];
    else if (field !== undefined && field !== null) pruneNulls(field, node);
  }
}

function schemaBelow({ properties, additionalProperties }: SchemaNode, key: string): SchemaNode | undefined {
  return properties.get(key) ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
}
