import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  objectType,
  STRING,
  TIMESTAMP,
  type Type,
} from '../cel/index.js';
import { getOwn, isObject, type JsonObject, type JsonValue } from '../json/index.js';
import { unescapeFieldName } from '../schema-rules/index.js';

/** Finds the schema behind a reference such as `#/components/schemas/x`. */
export type ResolveReference = (reference: string) => JsonObject | undefined;

/** How many references may follow one another. */
const MOST_REFERENCES = 50;

/**
 * The type of the values of an OpenAPI schema; undefined if expressions cannot read them. Objects resolve their fields
 * when an expression names them, so schemas may refer to themselves. Upstream: apiserver `pkg/cel/common/schemas.go`.
 */
export function openApiType(given: JsonObject, name: string, resolve: ResolveReference): Type | undefined {
  const schema = resolved(given, resolve);
  if (schema === undefined) return undefined;
  if (getOwn(schema, 'x-kubernetes-int-or-string') === true) return DYN;
  const { format } = schema;
  switch (schema.type) {
    case 'array':
      return isObject(schema.items) ? listOfItems(schema.items, name, resolve) : undefined;
    case 'object':
      return objectOrMap(schema, name, resolve);
    case 'boolean':
      return BOOL;
    case 'number':
      return DOUBLE;
    case 'integer':
      return INT;
    case 'string':
      return typeof format === 'string' ? (STRING_FORMATS.get(format) ?? STRING) : STRING;
    default:
      return format === 'int-or-string' ? DYN : undefined;
  }
}

const STRING_FORMATS: ReadonlyMap<string, Type> = new Map([
  ['byte', BYTES],
  ['duration', DURATION],
  ['date', TIMESTAMP],
  ['date-time', TIMESTAMP],
]);

function listOfItems(items: JsonObject, name: string, resolve: ResolveReference): Type | undefined {
  const type = openApiType(items, `${name}.@idx`, resolve);
  return type && listOf(type);
}

function objectOrMap(schema: JsonObject, name: string, resolve: ResolveReference): Type | undefined {
  const { additionalProperties, properties } = schema;
  if (isObject(additionalProperties)) {
    const values = openApiType(additionalProperties, `${name}.@elem`, resolve);
    return values && mapOf(STRING, values);
  }
  const fields = isObject(properties) ? properties : {};
  const known = new Map<string, Type | undefined>();
  return objectType(name, {
    get(field) {
      if (!known.has(field)) known.set(field, fieldType(fields, field, name, resolve));
      return known.get(field);
    },
  });
}

function fieldType(fields: JsonObject, field: string, name: string, resolve: ResolveReference): Type | undefined {
  const original = unescapeFieldName(field);
  const schema = original === undefined ? undefined : getOwn(fields, original);
  return isObject(schema) ? openApiType(schema, `${name}.${field}`, resolve) : undefined;
}

/** Follows `$ref`, also as the only part of `allOf`. */
function resolved(given: JsonObject, resolve: ResolveReference): JsonObject | undefined {
  let schema: JsonObject | undefined = given;
  for (let count = 0; count < MOST_REFERENCES; count++) {
    const reference: JsonValue | undefined = schema.$ref ?? onlyPart(schema)?.$ref;
    if (typeof reference !== 'string') return schema;
    schema = resolve(reference);
    if (schema === undefined) return undefined;
  }
  return undefined;
}

function onlyPart({ allOf }: JsonObject): JsonObject | undefined {
  const [part, ...more] = Array.isArray(allOf) ? allOf : [];
  return isObject(part) && more.length === 0 ? part : undefined;
}
