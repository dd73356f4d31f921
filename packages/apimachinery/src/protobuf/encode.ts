import { getOwn, isObject, type JsonObject, type JsonValue, sortedKeys } from '../json/index.js';
import type { StructSchema } from '../schema/index.js';
import { decodeTyped } from '../serializer/index.js';
import { writeJsonText } from './json-text.js';
import {
  type JsonPlan,
  type ListPlan,
  type MapPlan,
  type MessagePlan,
  messagePlan,
  type SpecialPlan,
  type StructPlan,
  type ValueField,
  type ValuePlan,
} from './plan.js';
import { splitParts } from './special.js';
import { DELIMITED, tagOf } from './wire-type.js';
import { type WireWriter, writeMessage } from './wire-writer.js';

const FIRST = tagOf(1, DELIMITED);

/**
 * The message of an object in the form that `decodeTyped` gives, without its envelope; byte for byte what upstream writes.
 * kind and apiVersion are not part of it, nor is what the schema does not know.
 *
 * Throws `DecodeError` for a JSON schema within an `any` value that is none, and TypeError for an object that was never decoded.
 */
export function encodeProtobuf(object: Readonly<JsonObject>, schema: StructSchema): Uint8Array {
  return writeMessage((writer) => writeFields(writer, object, messagePlan(schema)));
}

/** The same as a field of another message: an item of a list, its metadata. */
export function encodeField(number: number, object: Readonly<JsonObject>, schema: StructSchema): Uint8Array {
  return writeMessage((writer) => {
    writeFields(writer, object, messagePlan(schema));
    writer.lengthSince(0);
    writer.varint(tagOf(number, DELIMITED));
  });
}

/** Last field first, as the writer has it. */
function writeFields(writer: WireWriter, object: Readonly<JsonObject>, plan: MessagePlan): void {
  const { fields } = plan;
  for (let index = fields.length - 1; index >= 0; index--) {
    const field = fields[index];
    if (field === undefined) continue;
    if (field.within === undefined) {
      const value = field.inherited ? getOwn(object, field.name) : object[field.name];
      writeField(writer, value ?? null, field);
    } else {
      const size = writer.size;
      writeFields(writer, object, field.within);
      writer.lengthSince(size);
      writer.varint(field.tag);
    }
  }
}

function writeField(writer: WireWriter, value: JsonValue, field: ValueField): void {
  const { value: plan, tag } = field;
  if (value === null && !field.always) return;
  if (plan.form === 'map') {
    writeEntries(writer, value, plan, tag);
  } else if (plan.form === 'list' && !plan.wrapped) {
    writeItems(writer, value, plan, tag);
  } else {
    writeValue(writer, value, plan);
    writer.varint(tag);
  }
}

function writeItems(writer: WireWriter, list: JsonValue, plan: ListPlan, tag: number): void {
  if (!Array.isArray(list)) throw mistyped('list', list);
  for (let index = list.length - 1; index >= 0; index--) {
    writeValue(writer, list[index] ?? null, plan.items);
    writer.varint(tag);
  }
}

function writeEntries(writer: WireWriter, map: JsonValue, plan: MapPlan, tag: number): void {
  if (!isObject(map)) throw mistyped('map', map);
  const keys = sortedKeys(map);
  for (let index = keys.length - 1; index >= 0; index--) {
    const key = keys[index] ?? '';
    const value = map[key];
    if (value === undefined) continue;
    const size = writer.size;
    if (value !== null || plan.values.form !== 'bytes') {
      writeValue(writer, value, plan.values);
      writer.varint(plan.valueTag);
    }
    writer.string(key);
    writer.varint(FIRST);
    writer.lengthSince(size);
    writer.varint(tag);
  }
}

/** With its length, where it has one. Null is the zero value. */
function writeValue(writer: WireWriter, value: JsonValue, plan: ValuePlan): void {
  switch (plan.form) {
    case 'string':
      if (typeof value !== 'string' && value !== null) throw mistyped('string', value);
      writer.string(value ?? '');
      return;
    case 'boolean':
      if (typeof value !== 'boolean' && value !== null) throw mistyped('boolean', value);
      writer.varint(value === true ? 1 : 0);
      return;
    case 'int32':
    case 'int64':
      writer.integer(numberOf(value));
      return;
    case 'double':
      writer.double(Number(numberOf(value)));
      return;
    case 'bytes': {
      if (typeof value !== 'string' && value !== null) throw mistyped('base64 text', value);
      const bytes = Buffer.from(value ?? '', 'base64');
      writer.bytes(bytes);
      writer.varint(bytes.length);
      return;
    }
    case 'map':
      throw new TypeError('protobuf has no map within a map or a list');
    default: {
      const size = writer.size;
      writeContent(writer, value, plan);
      writer.lengthSince(size);
    }
  }
}

/** A value that is a message, without its length. */
function writeContent(
  writer: WireWriter,
  value: JsonValue,
  plan: JsonPlan | ListPlan | StructPlan | SpecialPlan,
): void {
  switch (plan.form) {
    case 'json':
      if (value !== null) writeJsonText(writer, value);
      break;
    case 'list':
      if (value !== null) writeItems(writer, value, plan, tagOf(1, plan.items.wireType));
      break;
    case 'struct':
      writeStruct(writer, value, plan.message);
      break;
    default:
      writeSpecial(writer, value, plan);
  }
}

function writeStruct(writer: WireWriter, value: JsonValue, message: MessagePlan): void {
  if (isObject(value)) {
    writeFields(writer, value, message);
  } else if (value !== null) {
    throw mistyped('object', value);
  } else if (message.zero === undefined) {
    const size = writer.size;
    writeFields(writer, {}, message);
    message.zero = writer.copySince(size);
  } else {
    writer.bytes(message.zero);
  }
}

function writeSpecial(writer: WireWriter, value: JsonValue, plan: SpecialPlan): void {
  const parts = splitParts(plan.form, value);
  if (parts === undefined) return;
  const { schema, message } = plan.parts;
  // The schema has been an `any` value so far, of which nobody knows what it holds.
  writeFields(writer, plan.holdsSchema ? decodeTyped(parts, schema).object : parts, message);
}

function numberOf(value: JsonValue): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (value === null) return 0;
  throw mistyped('number', value);
}

function mistyped(expected: string, value: JsonValue): TypeError {
  return new TypeError(`protobuf: expected ${expected}, found ${typeof value}`);
}
