import { type JsonObject, type JsonValue } from '../json/index.js';
import { canonicalizeQuantity, QuantityError } from '../quantity/index.js';
import type { FieldSchema, ListSchema, ScalarSchema, StructSchema, ValueSchema } from '../schema/index.js';
import { DecodeError, type SchemaUnion } from '../serializer/index.js';
import { formatDuration, formatTime, nearestRepresentable } from '../time/index.js';

/** Types that are a message on the wire, but a scalar, a list or another type in JSON. */
export type SpecialForm = 'time' | 'microTime' | 'duration' | 'quantity' | 'intOrString' | SchemaUnion;

const INT = 0;
const STRING = 1;

const ZERO_TIME = '0001-01-01T00:00:00Z';

const string: ScalarSchema = { kind: 'string', goType: 'string' };
const boolean: ScalarSchema = { kind: 'boolean', goType: 'bool' };
const int32: ScalarSchema = { kind: 'integer', bits: 32, goType: 'int32' };
const int64: ScalarSchema = { kind: 'integer', bits: 64, goType: 'int64' };
const strings: ListSchema = { kind: 'list', items: string };

const kept = { required: false, omitEmpty: true, omitZero: false, pointer: true };
const field = { ...kept, pointer: false };

// Upstream: the generated.proto files of apimachinery and apiextensions.
const timestamp = struct('Timestamp', [
  { ...kept, name: 'seconds', value: int64, protobuf: 1 },
  { ...kept, name: 'nanos', value: int32, protobuf: 2 },
]);
const duration = struct('Duration', [{ ...field, name: 'duration', value: int64, protobuf: 1 }]);
const quantity = struct('Quantity', [{ ...kept, name: 'string', value: string, protobuf: 1 }]);
const intOrString = struct('IntOrString', [
  { ...field, name: 'type', value: int64, protobuf: 1 },
  { ...field, name: 'intVal', value: int32, protobuf: 2 },
  { ...field, name: 'strVal', value: string, protobuf: 3 },
]);

/** The message of a special type, as a struct. `owner` is the type of JSON schemas. */
export function partsSchema(form: SpecialForm, owner: StructSchema): StructSchema {
  const schema: ValueSchema = { kind: 'struct', type: owner };
  switch (form) {
    case 'time':
    case 'microTime':
      return timestamp;
    case 'duration':
      return duration;
    case 'quantity':
      return quantity;
    case 'intOrString':
      return intOrString;
    case 'schemaOrBoolean':
      return struct('JSONSchemaPropsOrBool', [
        { ...field, name: 'allows', value: boolean, protobuf: 1 },
        { ...kept, name: 'schema', value: schema, protobuf: 2 },
      ]);
    case 'schemaOrList':
      return struct('JSONSchemaPropsOrArray', [
        { ...kept, name: 'schema', value: schema, protobuf: 1 },
        { ...field, name: 'list', value: { kind: 'list', items: schema }, protobuf: 2 },
      ]);
    case 'schemaOrStrings':
      return struct('JSONSchemaPropsOrStringArray', [
        { ...kept, name: 'schema', value: schema, protobuf: 1 },
        { ...field, name: 'list', value: strings, protobuf: 2 },
      ]);
  }
}

function struct(goName: string, fields: readonly FieldSchema[]): StructSchema {
  return {
    name: goName,
    goName,
    goType: `v1.${goName}`,
    fields,
    byName: new Map(fields.map((each) => [each.name, each])),
  };
}

/**
 * Combines decoded parts to a value in normal form; undefined for Go's nil and for the zero time. `clampsTimes`: see the options of
 * `decodeProtobuf`.
 */
export function joinParts(form: SpecialForm, parts: JsonObject, clampsTimes: boolean): JsonValue | undefined {
  switch (form) {
    case 'time':
    case 'microTime':
      return joinTime(parts, form === 'microTime', clampsTimes);
    case 'duration':
      return formatDuration(BigInt(integerOf(parts.duration)));
    case 'quantity':
      return parts.string === undefined ? '0' : quantityOf(textOf(parts.string));
    case 'intOrString':
      if (integerOf(parts.type) === INT) return parts.intVal ?? 0;
      if (parts.type === STRING) return parts.strVal ?? '';
      throw new DecodeError('impossible IntOrString.Type');
    case 'schemaOrBoolean':
      return parts.schema ?? parts.allows ?? false;
    case 'schemaOrList':
    case 'schemaOrStrings':
      return parts.list ?? parts.schema;
  }
}

function joinTime({ seconds, nanos }: JsonObject, micro: boolean, clamps: boolean): string | undefined {
  if (seconds === undefined && nanos === undefined) return undefined;
  const micros = micro ? Math.trunc(Number(integerOf(nanos)) / 1000) : 0;
  const carried = Math.floor(micros / 1_000_000);
  const given = Number(integerOf(seconds)) + carried;
  const whole = nearestRepresentable(given);
  if (whole !== given && !clamps) throw new DecodeError('year outside of range [0,9999]');
  const text = formatTime(whole * 1000);
  const fraction = micros - carried * 1_000_000;
  if (text === ZERO_TIME && fraction === 0) return undefined;
  return micro ? `${text.slice(0, -1)}.${String(fraction).padStart(6, '0')}Z` : text;
}

function quantityOf(text: string): string {
  try {
    return canonicalizeQuantity(text);
  } catch (error) {
    if (error instanceof QuantityError) throw new DecodeError(error.message, { cause: error });
    throw error;
  }
}

function integerOf(value: JsonValue | undefined): number | bigint {
  return typeof value === 'number' || typeof value === 'bigint' ? value : 0;
}

function textOf(value: JsonValue): string {
  if (typeof value !== 'string') throw new TypeError(`expected text, found ${typeof value}`);
  return value;
}
