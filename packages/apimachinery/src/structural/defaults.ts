import { deepCopy, getOwn, isObject, type JsonObject, type JsonValue, setOwn } from '../json/index.js';
import { WorkBudget } from '../work/index.js';
import type { SchemaNode } from './schema-node.js';

/** Looking up this many fields costs one visit. */
const LOOKUPS_PER_VISIT = 4;

/**
 * Sets the defaults of the schema in place, also inside defaults. A null that is not allowed counts as absent. Throws
 * 413 if they exceed the budget. Upstream: apiextensions `pkg/apiserver/schema/defaulting`.
 */
export function applySchemaDefaults(value: JsonValue, schema: SchemaNode, budget: WorkBudget = new WorkBudget()): void {
  if (!schema.hasDefaults) return;
  if (Array.isArray(value)) applyToItems(value, schema.items, budget);
  else if (isObject(value)) applyToFields(value, schema, budget);
}

function applyToFields(object: JsonObject, schema: SchemaNode, budget: WorkBudget): void {
  const { properties, propertiesWithDefaults, additionalProperties } = schema;
  budget.spend(1 + propertiesWithDefaults.length / LOOKUPS_PER_VISIT);
  for (const [name, property] of propertiesWithDefaults) {
    const value = getOwn(object, name);
    if (property.default !== undefined && (value === undefined || (value === null && !property.nullable))) {
      budget.add(name.length + property.defaultBytes);
      setOwn(object, name, deepCopy(property.default));
    }
    const filled = getOwn(object, name);
    if (filled !== undefined) applySchemaDefaults(filled, property, budget);
  }
  if (typeof additionalProperties !== 'object') return;
  for (const name of Object.keys(object)) {
    if (properties.has(name)) continue;
    if (getOwn(object, name) === null && !additionalProperties.nullable) {
      setOwn(object, name, defaultOf(additionalProperties, budget));
    }
    applySchemaDefaults(getOwn(object, name) ?? null, additionalProperties, budget);
  }
}

function applyToItems(list: JsonValue[], items: SchemaNode | undefined, budget: WorkBudget): void {
  if (items === undefined) return;
  for (const [index, item] of list.entries()) {
    if (item === null && !items.nullable) list[index] = defaultOf(items, budget);
    applySchemaDefaults(list[index] ?? null, items, budget);
  }
}

function defaultOf(schema: SchemaNode, budget: WorkBudget): JsonValue {
  budget.add(schema.defaultBytes);
  return deepCopy(schema.default ?? null);
}

/** Removes, in place, nulls of fields that are not nullable and have no default. */
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
