import { deepEqual, getOwn, isObject, type JsonObject, type JsonValue, setOwn } from '../../json/index.js';
import type { FieldSchema, ListSchema, StructSchema } from '../../schema/index.js';
import { mergeOrder } from './merge-order.js';
import type { PathElement } from '../fieldsets/path-element.js';
import { writtenValue } from './presence.js';
import { granular, indexItems, listElement, type OwnedSchema } from './structure.js';

/**
 * Merges a configuration into the live object. Removes nothing; both are as written. The result shares unchanged parts
 * with the live object, up to the whole. Upstream: structured-merge-diff `TypedValue.Merge`.
 */
export function mergeConfiguration(live: JsonObject, configuration: JsonObject, schema: StructSchema): JsonObject {
  return mergeMaps(live, configuration, (name) => {
    const field = schema.byName.get(name);
    return field === undefined ? { schema: 'unknown' } : { schema: field.value, field };
  });
}

/** The schema of a member, and its struct field if it has one. */
interface Member {
  readonly schema: OwnedSchema;
  readonly field?: FieldSchema;
}

function mergeMaps(live: JsonObject, configuration: JsonObject, memberOf: (name: string) => Member): JsonObject {
  let merged: JsonObject | undefined;
  for (const name of Object.keys(configuration)) {
    const value = configuration[name];
    if (value === undefined) continue;
    const { schema, field } = memberOf(name);
    const before = getOwn(live, name);
    const after = mergeValues(schema, before, value, field);
    if (after === before) continue;
    merged ??= { ...live };
    setOwn(merged, name, after);
  }
  return merged ?? live;
}

function mergeValues(
  schema: OwnedSchema,
  live: JsonValue | undefined,
  configured: JsonValue,
  field?: FieldSchema,
): JsonValue {
  if (live === undefined || live === null) return configured;
  // Null matches any structure and takes the live value's.
  const structure = granular(schema, configured ?? live, field);
  if (structure === undefined) return deepEqual(live, configured) ? live : configured;
  if (structure.kind === 'list') {
    if (!Array.isArray(live) || live.length === 0) return configured;
    return Array.isArray(configured) && configured.length > 0 ? mergeLists(structure.list, live, configured) : live;
  }
  if (!isObject(live) || Object.keys(live).length === 0) return configured;
  if (!isObject(configured)) return live;
  switch (structure.kind) {
    case 'struct':
      return mergeConfiguration(live, configured, structure.struct.type);
    case 'map':
      return mergeMaps(live, configured, () => ({ schema: structure.values }));
    default:
      return mergeMaps(live, configured, () => ({ schema: 'unknown' }));
  }
}

/** If the configuration has an item that the live list has twice, it replaces both. */
function mergeLists(list: ListSchema, live: JsonValue[], configured: JsonValue[]): JsonValue[] {
  const elements = live.map((item) => listElement(list, item, writtenValue));
  const liveItems = new Map<PathElement | undefined, JsonValue | undefined>();
  for (const [index, element] of elements.entries()) {
    liveItems.set(element, liveItems.has(element) ? undefined : live[index]);
  }
  const configuredItems = indexItems(list, configured, writtenValue);
  const merged = mergeOrder(elements, [...configuredItems.keys()]).map((step) => {
    if (step.from === 'live') return live[step.index] ?? null;
    const [item = null] = configuredItems.get(step.element) ?? [];
    return mergeValues(list.items, liveItems.get(step.element), item);
  });
  const same = merged.length === live.length && merged.every((item, index) => item === live[index]);
  return same ? live : merged;
}
