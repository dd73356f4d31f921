import { deepCopy, getOwn, isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import type { Dialect } from './dialect.js';
import type { CustomType } from './source.js';

/** The parts of built-in types that a custom kind uses. */
export interface CustomParts {
  /** `apiVersion`, `kind` or `metadata` of any object. */
  field(name: string): JsonObject;
  listMetadata(): JsonObject;
  reference(definition: string): JsonObject;
}

/**
 * The definition of a custom kind: its own schema with the fields of every object. Upstream: apiextensions
 * `pkg/controller/openapi/builder`.
 */
export function customDefinition(
  type: CustomType,
  definition: string,
  dialect: Dialect,
  parts: CustomParts,
): JsonObject {
  const { group, version, kind, selectableFields } = type;
  const written =
    type.items === undefined ? objectDefinition(type, dialect, parts) : listDefinition(type, definition, parts);
  return {
    ...written,
    'x-kubernetes-group-version-kind': [{ group, version, kind }],
    ...(dialect === 'v3' && selectableFields.length > 0
      ? { 'x-kubernetes-selectable-fields': selectableFields.map((fieldPath) => ({ fieldPath })) }
      : {}),
  };
}

function objectDefinition({ schema }: CustomType, dialect: Dialect, parts: CustomParts): JsonObject {
  if (schema === undefined || (dialect === 'v2' && preserves(schema))) return { type: 'object' };
  const written = writeSchema(schema, dialect, parts);
  const own = getOwn(written, 'properties');
  return { ...written, properties: { ...(isObject(own) ? own : {}), ...resourceFields(parts) } };
}

function listDefinition({ kind, items = '' }: CustomType, definition: string, parts: CustomParts): JsonObject {
  const item = definition.slice(0, definition.lastIndexOf('.') + 1) + items;
  return {
    description: `${kind} is a list of ${items}`,
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: parts.field('apiVersion'),
      items: { description: `The ${items} objects.`, type: 'array', items: parts.reference(item) },
      kind: parts.field('kind'),
      metadata: parts.listMetadata(),
    },
  };
}

function resourceFields(parts: CustomParts): JsonObject {
  return {
    apiVersion: parts.field('apiVersion'),
    kind: parts.field('kind'),
    metadata: parts.field('metadata'),
  };
}

const nestedKeywords = ['allOf', 'anyOf', 'oneOf', 'not'];

/** Copies a schema with everything below it; the result shares nothing with it. */
function writeSchema(schema: JsonObject, dialect: Dialect, parts: CustomParts): JsonObject {
  const written: JsonObject = {};
  for (const keyword of Object.keys(schema)) {
    const value = getOwn(schema, keyword);
    if (value !== undefined) written[keyword] = writeKeyword(keyword, value, dialect, parts);
  }
  if (schema['x-kubernetes-int-or-string'] === true && dialect === 'v3') unfoldIntOrString(written);
  if (dialect === 'v2') simplify(written);
  if (schema['x-kubernetes-embedded-resource'] === true && !(dialect === 'v2' && preserves(schema))) {
    embed(written, parts);
  }
  return written;
}

function writeKeyword(keyword: string, value: JsonValue, dialect: Dialect, parts: CustomParts): JsonValue {
  if (keyword === 'properties' && isObject(value)) {
    return Object.fromEntries(
      Object.keys(value).map((name) => [name, writeBelow(getOwn(value, name) ?? null, dialect, parts)]),
    );
  }
  return keyword === 'items' || keyword === 'additionalProperties'
    ? writeBelow(value, dialect, parts)
    : deepCopy(value);
}

function writeBelow(value: JsonValue, dialect: Dialect, parts: CustomParts): JsonValue {
  return isObject(value) ? writeSchema(value, dialect, parts) : value;
}

/** Writes int-or-string as alternatives, for clients that do not know it. */
function unfoldIntOrString(schema: JsonObject): void {
  const either = [{ type: 'integer' }, { type: 'string' }];
  const { anyOf, allOf } = schema;
  if (isEither(anyOf) || (Array.isArray(allOf) && isObject(allOf[0]) && isEither(allOf[0].anyOf))) return;
  if (anyOf === undefined) schema.anyOf = either;
  else schema.allOf = [{ anyOf: either }, ...(Array.isArray(allOf) ? allOf : [])];
}

function isEither(value: JsonValue | undefined): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const types = value.map((each) => (isObject(each) && Object.keys(each).length === 1 ? each.type : undefined));
  return types[0] === 'integer' && types[1] === 'string';
}

/** Removes what v2 cannot express, and what breaks its clients. Upstream: `openapi/v2/conversion.go`. */
function simplify(schema: JsonObject): void {
  for (const keyword of nestedKeywords) delete schema[keyword];
  const { properties, additionalProperties } = schema;
  const nullable = isObject(properties)
    ? Object.keys(properties).filter((name) => isNullable(getOwn(properties, name)))
    : [];
  if (Array.isArray(schema.required) && nullable.length > 0) {
    schema.required = schema.required.filter((name) => typeof name !== 'string' || !nullable.includes(name));
  }
  if (isNullable(additionalProperties)) delete schema.required;
  if (schema.nullable === true || preserves(schema)) {
    delete schema.items;
    delete schema.properties;
  }
  const typeless =
    schema.nullable === true ||
    (schema.type === 'array' && schema.items === undefined) ||
    (schema.type === 'object' && preserves(schema));
  if (typeless) delete schema.type;
  if (Array.isArray(schema.required) && schema.required.length === 0) delete schema.required;
  for (const part of isObject(schema.properties) ? Object.values(schema.properties) : []) forgetNull(part);
  forgetNull(schema.items);
  forgetNull(schema.additionalProperties);
}

/** Call it only after the schema around it has been processed. */
function forgetNull(schema: JsonValue | undefined): void {
  if (isObject(schema)) delete schema.nullable;
}

function isNullable(schema: JsonValue | undefined): boolean {
  return isObject(schema) && schema.nullable === true;
}

function preserves(schema: JsonObject): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true;
}

function embed(schema: JsonObject, parts: CustomParts): void {
  const { properties, required } = schema;
  schema.properties = { ...(isObject(properties) ? properties : {}), ...resourceFields(parts) };
  const names = Array.isArray(required) ? required : [];
  schema.required = [...names, ...['kind', 'apiVersion'].filter((name) => !names.includes(name))];
}
