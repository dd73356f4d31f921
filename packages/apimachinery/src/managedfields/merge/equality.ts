import { deepEqual, getOwn, isObject, type JsonObject, type JsonValue } from '../../json/index.js';
import type { StructSchema } from '../../schema/index.js';
import { type Presence, unknownFields, writtenValue } from './presence.js';
import type { OwnedSchema } from './structure.js';

/** Whether two values are equal when read through `presence`. */
export function equalValues(schema: OwnedSchema, a: JsonValue, b: JsonValue, presence: Presence): boolean {
  if (a === b) return true;
  if (schema === 'unknown' || presence === writtenValue) return deepEqual(a, b);
  switch (schema.kind) {
    case 'struct':
      return isObject(a) && isObject(b) && equalStructs(schema.type, a, b, presence);
    case 'map':
      return isObject(a) && isObject(b) && equalMaps(schema.values, a, b, presence);
    case 'list':
      if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
      return a.every((item, index) => equalValues(schema.items, item, b[index] ?? null, presence));
    default:
      return deepEqual(a, b);
  }
}

function equalStructs(type: StructSchema, a: JsonObject, b: JsonObject, presence: Presence): boolean {
  for (const field of type.fields) {
    const left = presence(a, field);
    const right = presence(b, field);
    if (left === right) continue;
    if (left === undefined || right === undefined || !equalValues(field.value, left, right, presence)) return false;
  }
  const names = unknownFields(a, type);
  return names.length === unknownFields(b, type).length && names.every((name) => deepEqual(a[name], getOwn(b, name)));
}

function equalMaps(values: OwnedSchema, a: JsonObject, b: JsonObject, presence: Presence): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && equalValues(values, a[key] ?? null, b[key] ?? null, presence));
}
