import { getOwn, isObject, type JsonObject, type JsonValue } from '../../json/index.js';
import type { FieldSchema, ListSchema, StructReference, ValueSchema } from '../../schema/index.js';
import { finish, type Steps } from '../../work/index.js';
import { keyElement, type PathElement, valueElement } from '../fieldsets/path-element.js';
import type { Presence } from './presence.js';

/** The granular structures, whose parts are owned separately; all other values are owned as a whole. */
export type GranularSchema =
  | { readonly kind: 'struct'; readonly struct: StructReference }
  | { readonly kind: 'map'; readonly values: ValueSchema }
  | { readonly kind: 'list'; readonly list: ListSchema }
  | { readonly kind: 'unknown' };

/** How a value is owned. `unknown` values have no schema: their objects are granular, their lists atomic. */
export type OwnedSchema = ValueSchema | 'unknown';

const granularUnknown: GranularSchema = { kind: 'unknown' };

/**
 * The structure of a granular value; undefined for a leaf. `field` is the field that holds it, which may narrow the
 * type's own mapType. Upstream: structured-merge-diff `schema.Atom`.
 */
export function granular(schema: OwnedSchema, value: JsonValue, field?: FieldSchema): GranularSchema | undefined {
  if (isUnknown(schema)) return isObject(value) ? granularUnknown : undefined;
  if (isOneValue(schema, field)) return undefined;
  switch (schema.kind) {
    case 'struct':
      return { kind: 'struct', struct: schema };
    case 'map':
      return { kind: 'map', values: schema.values };
    case 'list':
      return { kind: 'list', list: schema };
    default:
      return undefined;
  }
}

function isUnknown(schema: OwnedSchema): schema is 'unknown' {
  return schema === 'unknown' || (schema.kind === 'any' && schema.granular === true);
}

/** Whether a value is owned as a whole regardless of its content. */
export function isOneValue(schema: ValueSchema, field?: FieldSchema): boolean {
  switch (schema.kind) {
    case 'struct':
      return (field?.mapType ?? schema.type.mapType) === 'atomic';
    case 'map':
      return (field?.mapType ?? schema.mapType) === 'atomic';
    case 'list':
      return schema.listType !== 'map' && schema.listType !== 'set';
    default:
      return true;
  }
}

/** The path element of an item in a set or keyed list; undefined if it lacks keys, which validation rejects. */
export function listElement(list: ListSchema, item: JsonValue, presence: Presence): PathElement | undefined {
  if (list.listType !== 'map') return typeof item === 'object' ? undefined : valueElement(item);
  if (!isObject(item)) return undefined;
  const keys: [string, JsonValue][] = [];
  for (const name of list.listMapKeys ?? []) {
    const value = keyValue(list.items, item, name, presence);
    if (value !== undefined) keys.push([name, value]);
  }
  return keys.length === 0 ? undefined : keyElement(keys);
}

function keyValue(items: ValueSchema, item: JsonObject, name: string, presence: Presence): JsonValue | undefined {
  const field = items.kind === 'struct' ? items.type.byName.get(name) : undefined;
  if (field === undefined) return getOwn(item, name);
  const value = presence(item, field);
  return value === undefined ? field.default : value;
}

/** Less than a millisecond of work. */
const ITEMS_PER_STEP = 500;

/** The items of a list by path element, in order. Omits items without keys. */
export function indexItems(list: ListSchema, items: JsonValue, presence: Presence): Map<PathElement, JsonValue[]> {
  return finish(indexItemsInSteps(list, items, presence));
}

/** {@link indexItems} in steps of some items. */
export function* indexItemsInSteps(
  list: ListSchema,
  items: JsonValue,
  presence: Presence,
): Steps<Map<PathElement, JsonValue[]>> {
  const index = new Map<PathElement, JsonValue[]>();
  if (!Array.isArray(items)) return index;
  for (const [position, item] of items.entries()) {
    if (position % ITEMS_PER_STEP === ITEMS_PER_STEP - 1) yield;
    const element = listElement(list, item, presence);
    if (element === undefined) continue;
    const same = index.get(element);
    if (same === undefined) index.set(element, [item]);
    else same.push(item);
  }
  return index;
}

/** The schema below a path element; undefined if the schema does not define it. */
export function schemaBelow(schema: OwnedSchema, element: PathElement): Below | undefined {
  if (isUnknown(schema)) return element.startsWith('f:') ? below('unknown') : undefined;
  switch (schema.kind) {
    case 'struct': {
      if (!element.startsWith('f:')) return undefined;
      const field = schema.type.byName.get(element.slice(2));
      return field === undefined ? below('unknown') : { ...below(field.value), field };
    }
    case 'map':
      return element.startsWith('f:') ? below(schema.values) : undefined;
    case 'list':
      return element.startsWith('f:') ? undefined : below(schema.items);
    default:
      return undefined;
  }
}

/** A part of an object: its schema, and its struct field if it has one. */
export interface Below {
  readonly schema: OwnedSchema;
  readonly field?: FieldSchema;
}

function below(schema: OwnedSchema): Below {
  return { schema: isUnknown(schema) ? 'unknown' : schema };
}
