import { getOwn, isObject, type JsonDetails, type JsonObject, type JsonValue, setOwn } from '../json/index.js';
import type { FieldSchema, ListSchema, MapSchema, StructSchema, ValueSchema } from '../schema/index.js';
import { DecodeContext, describeValue } from './decode-context.js';
import { decodeScalar } from './decode-scalar.js';
import { goTypeName } from './go-types.js';

export interface DecodeOptions {
  /** What the reader knows beyond the tree; without it no duplicate is reported and `1.0` passes for an integer. */
  readonly details?: JsonDetails | undefined;
}

export interface Decoded {
  readonly object: JsonObject;
  /** `unknown field "spec.bogus"`, `duplicate field "data.a"`: in document order, each once, at most a hundred. */
  readonly strictErrors: readonly string[];
}

/**
 * Reads a tree into a type, as Go's decoding into the struct does, and gives back what a Go round trip would keep: known fields
 * under their exact names, quantities and times in canonical form, no null. Go's zero values are absent unless the field is
 * a pointer; so are empty lists, maps and structs. `encodeTyped` writes the ones that upstream shows.
 *
 * The result is the caller's and shares nothing with `value` but the content of `any` fields. Throws `DecodeError`.
 * Upstream: sigs.k8s.io/json `UnmarshalStrict`.
 */
export function decodeTyped(value: JsonValue, schema: StructSchema, options: DecodeOptions = {}): Decoded {
  const context = new DecodeContext(options.details);
  let object: JsonObject = {};
  if (isObject(value)) object = decodeStruct(value, schema, context);
  else if (value !== null) context.typeError(describeValue(value), goTypeName({ kind: 'struct', type: schema }));
  context.finish();
  return { object, strictErrors: context.strictErrors };
}

function decodeStruct(input: JsonObject, schema: StructSchema, context: DecodeContext): JsonObject {
  const object: JsonObject = {};
  const outerStruct = context.structName;
  for (const key of Object.keys(input)) {
    const value = getOwn(input, key);
    if (value === undefined) continue;
    const field = schema.byName.get(key);
    if (field === undefined) {
      context.unknownField(key);
      continue;
    }
    context.checkDuplicate(input, key);
    context.path.push(key);
    context.fields.push(field.goEmbedded === undefined ? key : `${field.goEmbedded}.${key}`);
    context.structName = schema.goName;
    const decoded = decodeField(value, field, context, input, key);
    if (decoded !== undefined) setOwn(object, key, decoded);
    context.path.pop();
    context.fields.pop();
    context.structName = outerStruct;
  }
  return object;
}

function decodeField(
  value: JsonValue,
  field: FieldSchema,
  context: DecodeContext,
  holder: JsonObject,
  key: string,
): JsonValue | undefined {
  // A duration decodes itself, and has no room for null; every other type takes null for its zero value.
  if (value === null && (field.pointer || field.value.kind !== 'duration')) return undefined;
  const decoded = decodeValue(value, field.value, context, holder, key);
  return decoded === undefined || (!field.pointer && isZeroValue(decoded, field.value)) ? undefined : decoded;
}

function decodeValue(
  value: JsonValue,
  schema: ValueSchema,
  context: DecodeContext,
  holder: JsonObject | JsonValue[],
  key: string | number,
): JsonValue | undefined {
  switch (schema.kind) {
    case 'struct':
      if (isObject(value)) return decodeStruct(value, schema.type, context);
      return value === null ? {} : context.typeError(describeValue(value), goTypeName(schema));
    case 'list':
      return decodeList(value, schema, context);
    case 'map':
      return decodeMap(value, schema, context);
    default:
      return decodeScalar(value, schema, context, holder, key);
  }
}

function decodeList(value: JsonValue, schema: ListSchema, context: DecodeContext): JsonValue | undefined {
  if (value === null) return null;
  if (!Array.isArray(value)) return context.typeError(describeValue(value), goTypeName(schema));
  const list: JsonValue[] = [];
  for (let index = 0; index < value.length; index++) {
    context.path.push(index);
    list.push(decodeValue(value[index] ?? null, schema.items, context, value, index) ?? null);
    context.path.pop();
  }
  return list;
}

function decodeMap(value: JsonValue, schema: MapSchema, context: DecodeContext): JsonValue | undefined {
  if (value === null) return null;
  if (!isObject(value)) return context.typeError(describeValue(value), goTypeName(schema));
  const map: JsonObject = {};
  for (const key of Object.keys(value)) {
    const item = getOwn(value, key);
    if (item === undefined) continue;
    context.checkDuplicate(value, key);
    context.path.push(key);
    setOwn(map, key, decodeValue(item, schema.values, context, value, key) ?? null);
    context.path.pop();
  }
  return map;
}

/** Whether `value` is Go's zero value of its type, or an empty list, map or struct: what a decoded object does not hold. */
export function isZeroValue(value: JsonValue, schema: ValueSchema): boolean {
  if (value === null) return true;
  switch (schema.kind) {
    case 'struct':
    case 'map':
      return isObject(value) && isEmpty(value);
    case 'list':
      return Array.isArray(value) && value.length === 0;
    case 'quantity':
      return value === '0';
    case 'duration':
      return value === '0s';
    case 'intOrString':
      return value === 0;
    case 'any':
      return false;
    default:
      return value === '' || value === 0 || value === false;
  }
}

function isEmpty(object: JsonObject): boolean {
  for (const key in object) if (object[key] !== undefined) return false;
  return true;
}
