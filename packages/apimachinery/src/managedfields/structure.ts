import { getOwn, isObject, type JsonObject, type JsonValue } from '../json/index.js';
import type { FieldSchema, ListSchema, MapSchema, StructReference, ValueSchema } from '../schema/index.js';
import { keyElement, type PathElement, valueElement } from './path-element.js';
import { presentValue } from './presence.js';

/** The structures that are owned part by part; everything else is owned as one value. */
export type GranularSchema =
  | { readonly kind: 'struct'; readonly struct: StructReference }
  | { readonly kind: 'map'; readonly values: ValueSchema }
  | { readonly kind: 'list'; readonly list: ListSchema }
  | { readonly kind: 'unknown' };

/** How a value is owned. `unknown` values have no schema at all: their objects are granular, their lists atomic. */
export type OwnedSchema = ValueSchema | 'unknown';

const granularUnknown: GranularSchema = { kind: 'unknown' };

/**
 * The structure of a value that is owned part by part, or undefined when it is a leaf. `field` is the field through which it is
 * seen: that may narrow the type's own mapType. Upstream: structured-merge-diff `schema.Atom`.
 */
export function granular(schema: OwnedSchema, value: JsonValue, field?: FieldSchema): GranularSchema | undefined {
  if (schema === 'unknown') return isObject(value) ? granularUnknown : undefined;
  switch (schema.kind) {
    case 'struct':
      return (field?.mapType ?? schema.type.mapType) === 'atomic' ? undefined : { kind: 'struct', struct: schema };
    case 'map':
      return granularMap(schema, field);
    case 'list':
      return schema.listType === 'set' || schema.listType === 'map' ? { kind: 'list', list: schema } : undefined;
    default:
      return undefined;
  }
}

function granularMap(schema: MapSchema, field: FieldSchema | undefined): GranularSchema | undefined {
  return (field?.mapType ?? schema.mapType) === 'atomic' ? undefined : { kind: 'map', values: schema.values };
}

/** The step to one item of a set or keyed list; undefined when the item has no keys, which validation refuses. */
export function listElement(list: ListSchema, item: JsonValue): PathElement | undefined {
  if (list.listType !== 'map') return typeof item === 'object' ? undefined : valueElement(item);
  if (!isObject(item)) return undefined;
  const keys: [string, JsonValue][] = [];
  for (const name of list.listMapKeys ?? []) {
    const value = keyValue(list.items, item, name);
    if (value !== undefined) keys.push([name, value]);
  }
  return keys.length === 0 ? undefined : keyElement(keys);
}

function keyValue(items: ValueSchema, item: JsonObject, name: string): JsonValue | undefined {
  const field = items.kind === 'struct' ? items.type.byName.get(name) : undefined;
  if (field === undefined) return getOwn(item, name);
  return presentValue(item, field) ?? field.default;
}

/** The items of a list by their steps, in order; items without keys are left out. */
export function indexItems(list: ListSchema, items: JsonValue): Map<PathElement, JsonValue[]> {
  const index = new Map<PathElement, JsonValue[]>();
  if (!Array.isArray(items)) return index;
  for (const item of items) {
    const element = listElement(list, item);
    if (element === undefined) continue;
    const same = index.get(element);
    if (same === undefined) index.set(element, [item]);
    else same.push(item);
  }
  return index;
}
