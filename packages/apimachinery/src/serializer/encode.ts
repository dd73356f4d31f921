import {
  encodeJson,
  getOwn,
  isObject,
  type JsonObject,
  type JsonValue,
  type JsonWriter,
  sortedKeys,
  writeJsonBytes,
  writeJsonText,
  writeSharedJson,
} from '../json/index.js';
import type { StructSchema } from '../schema/index.js';
import { type FieldPlan, type StructPlan, structPlan, type ValuePlan } from './encode-plan.js';

/**
 * Encodes an object of a known type as Go encodes the struct. Fields are in schema order and map keys in byte order.
 * `any` values are unchanged, and each field has its rule for zero values. Fields unknown to the schema are omitted. No
 * line end: upstream adds one to a JSON response, but not to a pretty or YAML response.
 */
export function encodeTyped(object: Readonly<JsonObject>, schema: StructSchema): Uint8Array {
  return writeJsonBytes((writer) => writeStruct(writer, object, structPlan(schema)));
}

/** {@link encodeTyped} as text. */
export function encodeTypedText(object: Readonly<JsonObject>, schema: StructSchema): string {
  return writeJsonText((writer) => writeStruct(writer, object, structPlan(schema)));
}

/** Encodes an object without a Go type, such as a custom resource: keys sorted by their bytes at every level. */
export function encodeUntyped(value: JsonValue): Uint8Array {
  return encodeJson(value, { sortKeys: true });
}

/** Whether the value is zero for Go's omitempty and omitzero; for structs see {@link FieldPlan.droppedText}. */
function isZero(value: JsonValue, plan: ValuePlan): boolean {
  switch (typeof value) {
    case 'string':
      return value === '' && plan.form !== 'intOrString';
    case 'number':
      return value === 0;
    case 'boolean':
      return !value;
    case 'bigint':
      return value === 0n;
    default:
      break;
  }
  if (Array.isArray(value)) return value.length === 0 && plan.form === 'list';
  if (plan.form !== 'map' || value === null) return false;
  for (const key in value) if (value[key] !== undefined) return false;
  return true;
}

function writeStruct(writer: JsonWriter, object: Readonly<JsonObject>, plan: StructPlan): void {
  let first = true;
  for (const field of plan.fields) {
    if (writeField(writer, valueOf(object, field), field, first)) first = false;
  }
  writer.ascii(first ? '{}' : '}');
}

export function valueOf(object: Readonly<JsonObject>, { name, inherited }: FieldPlan): JsonValue | undefined {
  return inherited ? getOwn(object, name) : object[name];
}

/** Returns whether the field was written. */
export function writeField(
  writer: JsonWriter,
  value: JsonValue | undefined,
  field: FieldPlan,
  first: boolean,
): boolean {
  if (value === undefined || value === null) {
    if (field.absentText === '') return false;
    writer.ascii(first ? '{' : ',');
    writer.ascii(field.absentText);
    return true;
  }
  if (isDropped(value, field)) return false;
  const start = writer.position;
  writer.ascii(first ? field.first : field.next);
  const valueStart = writer.position;
  writeValue(writer, value, field.value);
  if (!wroteDropped(writer, valueStart, field)) return true;
  writer.rewind(start);
  return false;
}

export function isDropped(value: JsonValue, field: FieldPlan): boolean {
  return field.dropZero && isZero(value, field.value);
}

/** Whether the value that was written at `start` has to be discarded. */
export function wroteDropped(writer: JsonWriter, start: number, { droppedText }: FieldPlan): boolean {
  return droppedText !== undefined && writer.wroteSince(start, droppedText);
}

export function writeValue(writer: JsonWriter, value: JsonValue, plan: ValuePlan): void {
  if (typeof value === 'string') writer.string(value);
  else if (value === null) writer.ascii(plan.zeroText);
  else if (typeof value !== 'object') writer.value(value, false);
  else if (plan.form === 'struct' && isObject(value)) writeStruct(writer, value, plan.plan);
  else if (plan.form === 'list' && Array.isArray(value)) writeList(writer, value, plan.items);
  else if (plan.form === 'map' && isObject(value)) writeMap(writer, value, plan.values);
  else if (isObject(value)) writeSharedJson(writer, value);
  else writer.value(value, false);
}

function writeList(writer: JsonWriter, list: readonly JsonValue[], items: ValuePlan): void {
  writer.byte(0x5b);
  for (let index = 0; index < list.length; index++) {
    if (index > 0) writer.byte(0x2c);
    writeValue(writer, list[index] ?? null, items);
  }
  writer.byte(0x5d);
}

function writeMap(writer: JsonWriter, map: JsonObject, values: ValuePlan): void {
  let first = true;
  writer.byte(0x7b);
  for (const key of sortedKeys(map)) {
    const value = map[key];
    if (value === undefined) continue;
    if (!first) writer.byte(0x2c);
    first = false;
    writer.string(key);
    writer.byte(0x3a);
    writeValue(writer, value, values);
  }
  writer.byte(0x7d);
}
