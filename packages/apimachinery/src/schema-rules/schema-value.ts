import { EvaluationError, ListValue, type Value } from '../cel/index.js';
import { isObject, type JsonValue } from '../json/index.js';
import type { SchemaNode } from '../structural/index.js';
import { KeyedListValue, SetListValue } from './list-values.js';
import { ObjectFieldsValue } from './object-value.js';
import type { ReadCount } from './read-count.js';
import { asResourceSchema } from './resource-schema.js';
import { readFormat } from './text-formats.js';
import { UnknownValue } from './unknown-value.js';

/**
 * The value of an object for expressions, by its schema. Reads nested values on demand. Throws `EvaluationError` for
 * values that do not match the schema. Upstream: apiserver `pkg/cel/common/valuesunstructured.go`.
 */
export function schemaValue(json: JsonValue, schema: SchemaNode, reads: ReadCount): Value {
  reads.add(1);
  if (json === null) {
    if (schema.nullable) return null;
    throw new EvaluationError('invalid data, got null for schema with nullable=false');
  }
  if (schema.intOrString) return intOrString(json);
  switch (schema.type) {
    case 'object':
      return objectValue(json, schema, reads);
    case 'array':
      return listValue(json, schema, reads);
    case 'string':
      if (typeof json !== 'string') throw new EvaluationError(`invalid data, expected string, got ${goType(json)}`);
      return readFormat(json, schema.limits?.format ?? '', reads);
    case 'number':
      if (typeof json === 'number' || typeof json === 'bigint') return Number(json);
      throw new EvaluationError(`invalid data, expected float, got ${goType(json)}`);
    case 'integer':
      return wholeNumber(json) ?? refuse(`invalid data, expected int, got ${goType(json)}`);
    case 'boolean':
      if (typeof json === 'boolean') return json;
      throw new EvaluationError(`invalid data, expected bool, got ${goType(json)}`);
    default:
      if (schema.preserveUnknownFields) return new UnknownValue(json, reads);
      return refuse(
        'invalid type, expected object, array, number, integer, boolean or string, or no type with ' +
          `x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${schema.type}`,
      );
  }
}

function intOrString(json: JsonValue): Value {
  if (typeof json === 'string') return json;
  return wholeNumber(json) ?? refuse('invalid data, expected XIntOrString value to be either a string or integer');
}

function objectValue(json: JsonValue, schema: SchemaNode, reads: ReadCount): Value {
  if (!isObject(json)) return refuse('invalid data, expected a map for the provided schema with type=object');
  const seen = schema.embeddedResource ? asResourceSchema(schema) : schema;
  return new ObjectFieldsValue({ json, schema: seen, reads, valueOf: schemaValue });
}

function listValue(json: JsonValue, { items, lists }: SchemaNode, reads: ReadCount): Value {
  if (!Array.isArray(json)) return refuse('invalid data, expected an array for the provided schema with type=array');
  if (items === undefined) return refuse('invalid array type, expected Items with a non-empty Schema');
  const source = { size: json.length, at: (index: number) => schemaValue(json[index] ?? null, items, reads) };
  if (lists?.type === 'map') return new KeyedListValue(source, lists.mapKeys);
  return lists?.type === 'set' ? new SetListValue(source) : new ListValue(source);
}

function wholeNumber(json: JsonValue): bigint | undefined {
  if (typeof json === 'bigint') return json;
  return typeof json === 'number' && Number.isInteger(json) ? BigInt(json) : undefined;
}

function refuse(message: string): never {
  throw new EvaluationError(message);
}

/** Go's name of a JSON type. */
function goType(json: JsonValue): string {
  if (typeof json === 'string') return 'string';
  if (typeof json === 'boolean') return 'bool';
  if (typeof json === 'bigint') return 'int64';
  if (typeof json === 'number') return Number.isInteger(json) ? 'int64' : 'float64';
  return Array.isArray(json) ? '[]interface {}' : 'map[string]interface {}';
}
