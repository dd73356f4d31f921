import {
  getOwn,
  isObject,
  type JsonDetails,
  type JsonObject,
  type JsonValue,
  keysInSteps,
  setOwn,
} from '../json/index.js';
import {
  type FieldSchema,
  isZeroValue,
  type ListSchema,
  type MapSchema,
  type ScalarSchema,
  type StructReference,
  type StructSchema,
  type ValueSchema,
} from '../schema/index.js';
import { finish, type Steps } from '../work/index.js';
import { DecodeContext, DecodeError, describeValue } from './decode-context.js';
import { decodeScalar } from './decode-scalar.js';
import { goTypeName } from './go-types.js';
import { type SchemaUnion, schemaUnions } from './schema-unions.js';

const strings: ListSchema = { kind: 'list', items: { kind: 'string', goType: 'string' } };

export interface DecodeOptions {
  /** The reader's details. Without them no duplicate is reported and `1.0` passes for an integer. */
  readonly details?: JsonDetails | undefined;
  /** Decode a time that no one can parse to the nearest one, so that stored objects stay readable. Default: it is an error. */
  readonly clampsTimes?: boolean;
}

export interface Decoded {
  readonly object: JsonObject;
  /**
   * `unknown field "spec.bogus"`, `duplicate field "data.a"`: in document order, without repetition, at most a hundred.
   */
  readonly strictErrors: readonly string[];
}

/**
 * Decodes a tree into a type as Go decodes into the struct. Returns the result of a round trip through Go: known fields
 * under their exact names, quantities and times in canonical form, no null. Go's zero values are absent unless the
 * field is a pointer; so are empty lists, maps and structs, unless the field keeps them. `encodeTyped` writes those that upstream shows.
 *
 * The caller owns the result, which shares only the content of `any` fields with `value`. Throws `DecodeError`.
 * Upstream: sigs.k8s.io/json `UnmarshalStrict`.
 */
export function decodeTyped(value: JsonValue, schema: StructSchema, options: DecodeOptions = {}): Decoded {
  return finish(decodeTypedInSteps(value, schema, options));
}

/** {@link decodeTyped} in steps. */
export function* decodeTypedInSteps(
  value: JsonValue,
  schema: StructSchema,
  options: DecodeOptions = {},
): Steps<Decoded> {
  const context = new DecodeContext(options.details, options.clampsTimes);
  let object: JsonObject = {};
  if (isObject(value)) object = yield* decodeStruct(value, schema, context, undefined);
  else if (value !== null) context.typeError(describeValue(value), goTypeName({ kind: 'struct', type: schema }));
  context.finish();
  return { object, strictErrors: context.strictErrors };
}

/**
 * `previous`: the decoded value of an earlier occurrence of the key. Go decodes into it, so it keeps what the later one
 * omits.
 */
function* decodeStruct(
  input: JsonObject,
  schema: StructSchema,
  context: DecodeContext,
  previous: JsonValue | undefined,
): Steps<JsonObject> {
  const object: JsonObject = isObject(previous) ? previous : {};
  const outerStruct = context.struct;
  for (const key of Object.keys(input)) {
    const field = schema.byName.get(key);
    const earlier = context.earlierValues(input, key);
    for (let index = 0; index <= earlier.length; index++) {
      const holder = earlier[index] ?? input;
      const value = getOwn(holder, key);
      if (value === undefined) continue;
      if (field === undefined) {
        context.unknownField(key);
        continue;
      }
      if (index > 0) context.duplicateField(key);
      context.path.push(key);
      context.fields.push(field.goEmbedded === undefined ? key : `${field.goEmbedded}.${key}`);
      context.struct = schema;
      const before = getOwn(object, key);
      let decoded: JsonValue | undefined;
      if (value === null && !decodesNull(field)) decoded = keepsOnNull(field) ? before : undefined;
      else if (field.value.kind === 'map') decoded = yield* decodeMapField(value, field.value, context, before, field);
      else if (hasParts(field.value))
        decoded = unlessZero(yield* decodeParts(value, field.value, context, before), field);
      else decoded = unlessZero(decodeScalar(value, field.value, context, holder, key), field);
      if (decoded !== undefined) setOwn(object, key, decoded);
      else if (index > 0 || previous !== undefined) delete object[key];
      context.path.pop();
      context.fields.pop();
      context.struct = outerStruct;
    }
  }
  return object;
}

function unlessZero(
  decoded: JsonValue | undefined,
  { pointer, keepsEmpty, value }: FieldSchema,
): JsonValue | undefined {
  return decoded === undefined || (!pointer && keepsEmpty !== true && isZeroValue(decoded, value))
    ? undefined
    : decoded;
}

/** A duration decodes itself and rejects null. Every other type treats null as its zero value. */
function decodesNull({ pointer, value }: FieldSchema): boolean {
  return !pointer && value.kind === 'duration';
}

/** Types whose values Go leaves unchanged when it decodes null into them. Others become nil or zero. */
function keepsOnNull({ pointer, value: { kind } }: FieldSchema): boolean {
  if (pointer) return false;
  return kind === 'struct' || kind === 'string' || kind === 'boolean' || kind === 'integer' || kind === 'number';
}

/** A schema of values that consist of others. */
type PartsSchema = Exclude<ValueSchema, ScalarSchema> | (ScalarSchema & { readonly kind: 'any' });

function hasParts(schema: ValueSchema): schema is PartsSchema {
  const { kind } = schema;
  if (kind === 'any') return schemaUnions.has(schema.goType);
  return kind === 'struct' || kind === 'list' || kind === 'map';
}

function decodeParts(
  value: JsonValue,
  schema: PartsSchema,
  context: DecodeContext,
  previous: JsonValue | undefined,
): Steps<JsonValue | undefined> {
  switch (schema.kind) {
    case 'struct':
      return decodeReferenced(value, schema, context, previous);
    case 'list':
      return decodeList(value, schema, context, previous);
    case 'map':
      return decodeMap(value, schema, context, previous);
    case 'any':
      return decodeUnion(value, schemaUnions.get(schema.goType), context);
  }
}

function decodeReferenced(
  value: JsonValue,
  schema: StructReference,
  context: DecodeContext,
  previous: JsonValue | undefined,
): Steps<JsonValue | undefined> {
  if (isObject(value)) return decodeStruct(value, schema.type, context, previous);
  return decodeNullOrWrong(value, schema, context, previous);
}

function* decodeNullOrWrong(
  value: JsonValue,
  schema: StructReference,
  context: DecodeContext,
  previous: JsonValue | undefined,
): Steps<JsonValue | undefined> {
  yield;
  return value === null ? (previous ?? {}) : context.typeError(describeValue(value), goTypeName(schema));
}

/**
 * Decodes a JSON schema inside a JSON schema, or a simpler form. Such a value decodes itself: unknown fields are
 * dropped without a report, and the first type error ends the decode.
 */
function* decodeUnion(
  value: JsonValue,
  union: SchemaUnion | undefined,
  context: DecodeContext,
): Steps<JsonValue | undefined> {
  const { struct } = context;
  if (value === null || struct === undefined) return undefined;
  const inner = context.within();
  const schema: StructReference = { kind: 'struct', type: struct };
  let decoded: JsonValue | undefined;
  if (isObject(value)) decoded = yield* decodeStruct(value, struct, inner, undefined);
  else if (union === 'schemaOrBoolean') {
    if (typeof value !== 'boolean') throw new DecodeError('boolean or JSON schema expected');
    decoded = value;
  } else if (Array.isArray(value) && value.length > 0) {
    const list = union === 'schemaOrList' ? { ...strings, items: schema } : strings;
    decoded = yield* decodeList(value, list, inner, undefined);
  }
  inner.finish();
  return decoded;
}

function* decodeList(
  value: JsonValue,
  schema: ListSchema,
  context: DecodeContext,
  previous: JsonValue | undefined,
): Steps<JsonValue | undefined> {
  if (value === null) return null;
  if (!Array.isArray(value)) return context.typeError(describeValue(value), goTypeName(schema));
  const before = Array.isArray(previous) ? previous : [];
  const list: JsonValue[] = [];
  const { items } = schema;
  for (let index = 0; index < value.length; index++) {
    context.path.push(index);
    const item = value[index] ?? null;
    const decoded = hasParts(items)
      ? yield* decodeParts(item, items, context, before[index])
      : decodeScalar(item, items, context, value, index);
    list.push(decoded ?? null);
    context.path.pop();
    if (context.endsStep()) yield;
  }
  return list;
}

/** Undefined for an empty map, unless the field is a pointer or keeps it. {@link isZeroValue} is slow for a large map. */
function* decodeMapField(
  value: JsonValue,
  schema: MapSchema,
  context: DecodeContext,
  previous: JsonValue | undefined,
  { pointer, keepsEmpty }: FieldSchema,
): Steps<JsonValue | undefined> {
  const map = yield* decodeMap(value, schema, context, previous);
  return pointer || keepsEmpty === true || context.mapKeys > 0 || previous !== undefined ? map : undefined;
}

function* decodeMap(
  value: JsonValue,
  schema: MapSchema,
  context: DecodeContext,
  previous: JsonValue | undefined,
): Steps<JsonValue | undefined> {
  if (value === null) return null;
  if (!isObject(value)) return context.typeError(describeValue(value), goTypeName(schema));
  const map: JsonObject = isObject(previous) ? previous : {};
  // Bytes in a map are written as they come back from the store, where nil and empty are the same.
  const { values } = schema;
  const nil = values.kind === 'bytes' ? '' : null;
  const keys = yield* keysInSteps(value);
  for (const key of keys) {
    const earlier = context.earlierValues(value, key);
    for (let index = 0; index <= earlier.length; index++) {
      const holder = earlier[index] ?? value;
      const item = getOwn(holder, key);
      if (item === undefined) continue;
      if (index > 0) context.duplicateField(key);
      context.path.push(key);
      // Go decodes each value of a map into a new element.
      const decoded = hasParts(values)
        ? yield* decodeParts(item, values, context, undefined)
        : decodeScalar(item, values, context, holder, key);
      setOwn(map, key, decoded ?? nil);
      context.path.pop();
    }
    if (context.endsStep()) yield;
  }
  context.mapKeys = keys.length;
  return map;
}
