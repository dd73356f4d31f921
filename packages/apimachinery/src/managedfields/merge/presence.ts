import { getOwn, hasNoKeys, isObject, type JsonObject, type JsonValue, setOwn } from '../../json/index.js';
import { type FieldSchema, isScalarGoStruct, type StructSchema, type ValueSchema } from '../../schema/index.js';

const emptyObject: JsonObject = Object.freeze({});

/** Reads the value of a struct's field; undefined if the field is absent. */
export type Presence = (object: JsonObject, field: FieldSchema) => JsonValue | undefined;

/** The value that the document itself has: for configurations and merged objects. */
export const writtenValue: Presence = (object, field) => getOwn(object, field.name);

/**
 * The value of a field as upstream's typed object shows it: undefined if Go omits it, and the zero value if Go writes
 * one for an absent field (`{}` for a struct held by value, null for a list). Ownership depends on it: a create does
 * not add fields that the zero object already shows.
 */
export function presentValue(object: JsonObject, field: FieldSchema): JsonValue | undefined {
  const value = getOwn(object, field.name);
  if (field.written === true) return value;
  if (field.pointer) return value ?? (field.omitEmpty ? undefined : null);
  if (field.value.kind === 'struct') {
    if (field.omitZero && (value === undefined || value === null || isZeroStruct(value, field.value.type)))
      return undefined;
    return value ?? emptyObject;
  }
  if (!isZero(value)) return value;
  if (field.omitZero || (field.omitEmpty && !isScalarGoStruct(field.value))) return undefined;
  return value ?? zeroOf(field.value);
}

/** A document with every value that {@link presentValue} returns. Shares leaves with the object. */
export function writtenObject(object: JsonObject, type: StructSchema): JsonObject {
  const written: JsonObject = {};
  for (const field of type.fields) {
    const value = presentValue(object, field);
    if (value !== undefined) written[field.name] = writeValue(field.value, value);
  }
  for (const name of unknownFields(object, type)) setOwn(written, name, object[name] ?? null);
  return written;
}

function writeValue(schema: ValueSchema, value: JsonValue): JsonValue {
  switch (schema.kind) {
    case 'struct':
      return isObject(value) ? writtenObject(value, schema.type) : value;
    case 'list':
      return Array.isArray(value) && isComposite(schema.items)
        ? value.map((item) => writeValue(schema.items, item))
        : value;
    case 'map':
      return isObject(value) && isComposite(schema.values) ? writeValues(schema.values, value) : value;
    default:
      return value;
  }
}

function writeValues(schema: ValueSchema, map: JsonObject): JsonObject {
  const written: JsonObject = {};
  for (const key of Object.keys(map)) setOwn(written, key, writeValue(schema, map[key] ?? null));
  return written;
}

function isComposite(schema: ValueSchema): boolean {
  return schema.kind === 'struct' || schema.kind === 'list' || schema.kind === 'map';
}

/** True if no field is present. */
export function isEmptyStruct(object: JsonObject, type: StructSchema, presence: Presence): boolean {
  if (presence === writtenValue) return hasNoKeys(object);
  for (const field of type.fields) if (presence(object, field) !== undefined) return false;
  return !hasUnknownFields(object, type);
}

/** Fields that the type does not define, which custom resources may keep. */
export function unknownFields(object: JsonObject, type: StructSchema): readonly string[] {
  if (!hasUnknownFields(object, type)) return NONE;
  return Object.keys(object).filter((name) => object[name] !== undefined && !type.byName.has(name));
}

function hasUnknownFields(object: JsonObject, type: StructSchema): boolean {
  // Unlike Object.keys, this allocates nothing.
  for (const name in object) if (object[name] !== undefined && !type.byName.has(name)) return true;
  return false;
}

const NONE: readonly string[] = [];

function isZeroStruct(value: JsonValue, type: StructSchema): boolean {
  if (!isObject(value)) return false;
  for (const field of type.fields) {
    const inner = getOwn(value, field.name);
    if (inner === undefined || inner === null) continue;
    if (field.pointer) return false;
    if (field.value.kind === 'struct' ? !isZeroStruct(inner, field.value.type) : !isZero(inner)) return false;
  }
  return true;
}

function isZero(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'object') return Array.isArray(value) ? value.length === 0 : hasNoKeys(value);
  return value === '' || value === 0 || value === false;
}

function zeroOf(schema: ValueSchema): JsonValue {
  switch (schema.kind) {
    case 'string':
      return '';
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
    case 'intOrString':
      return 0;
    case 'quantity':
      return '0';
    case 'duration':
      return '0s';
    default:
      return null;
  }
}
