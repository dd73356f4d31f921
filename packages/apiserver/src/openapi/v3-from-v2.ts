import { getOwn, isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import type { Steps } from '@binnacle/apimachinery/work';
import type { RemoteV2 } from './remote.js';

const METHODS: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch']);
/** What an operation says in the same words in both versions. */
const SHARED = ['tags', 'description', 'operationId'] as const;

/**
 * The v3 document of a server that describes itself in v2 only. Shared parameters are written where they are used.
 * Upstream: kube-openapi `pkg/openapiconv`.
 */
export function* openApiV3FromV2(part: RemoteV2): Steps<JsonObject> {
  const paths: Entry[] = [];
  for (const [path, item] of Object.entries(part.paths)) {
    if (isObject(item)) paths.push([path, pathItem(item, part.parameters)]);
    yield;
  }
  const schemas: Entry[] = [];
  for (const [name, definition] of Object.entries(part.definitions)) {
    if (isObject(definition)) schemas.push([name, schemaOf(definition)]);
    yield;
  }
  return {
    openapi: '3.0.0',
    info: { ...part.info },
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries(schemas) },
  };
}

type Entry = [name: string, value: JsonValue];

function pathItem(item: JsonObject, shared: JsonObject): JsonObject {
  const written: JsonObject = {};
  for (const [key, value] of Object.entries(item)) {
    if (METHODS.has(key) && isObject(value)) written[key] = operationOf(value, shared);
  }
  const { parameters } = parametersOf(item, shared);
  return { ...written, ...(parameters.length === 0 ? {} : { parameters }) };
}

function operationOf(operation: JsonObject, shared: JsonObject): JsonObject {
  const { parameters, body } = parametersOf(operation, shared);
  const extensions = Object.entries(operation).filter(([key]) => key.startsWith('x-'));
  return {
    ...Object.fromEntries(SHARED.flatMap((key) => entryOf(operation, key))),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBodyOf(body, operation) }),
    responses: responsesOf(operation),
    ...Object.fromEntries(extensions),
  };
}

/** The parameters of an operation or path; in v3 its body is not one of them. */
function parametersOf(holder: JsonObject, shared: JsonObject) {
  const listed = getOwn(holder, 'parameters');
  const all = (Array.isArray(listed) ? listed : []).flatMap((parameter) => resolved(parameter, shared));
  const isBody = (parameter: JsonObject): boolean => getOwn(parameter, 'in') === 'body';
  return {
    parameters: all.filter((parameter) => !isBody(parameter)).map(parameterOf),
    body: all.find(isBody),
  };
}

function resolved(parameter: JsonValue, shared: JsonObject): JsonObject[] {
  if (!isObject(parameter)) return [];
  const reference = getOwn(parameter, '$ref');
  if (typeof reference !== 'string') return [parameter];
  const found = getOwn(shared, reference.replace('#/parameters/', ''));
  return isObject(found) ? [found] : [];
}

function parameterOf(parameter: JsonObject): JsonObject {
  const own = (['name', 'in', 'description', 'required'] as const).flatMap((key) => entryOf(parameter, key));
  const schema = (['type', 'uniqueItems'] as const).flatMap((key) => entryOf(parameter, key));
  return { ...Object.fromEntries(own), schema: Object.fromEntries(schema) };
}

function requestBodyOf(body: JsonObject, operation: JsonObject): JsonObject {
  return {
    content: contentOf(operation, 'consumes', getOwn(body, 'schema')),
    ...Object.fromEntries(entryOf(body, 'required')),
  };
}

function responsesOf(operation: JsonObject): JsonObject {
  const responses = getOwn(operation, 'responses');
  const written = Object.entries(isObject(responses) ? responses : {}).flatMap(([code, response]): Entry[] => {
    if (!isObject(response)) return [];
    const schema = getOwn(response, 'schema');
    const content = schema === undefined ? {} : { content: contentOf(operation, 'produces', schema) };
    return [[code, { ...Object.fromEntries(entryOf(response, 'description')), ...content }]];
  });
  return Object.fromEntries(written);
}

/** The schema under each media type that the operation reads or writes. */
function contentOf(operation: JsonObject, key: 'consumes' | 'produces', schema: JsonValue | undefined): JsonObject {
  const types = getOwn(operation, key);
  if (!Array.isArray(types)) return {};
  const content = isObject(schema) ? { schema: schemaOf(schema) } : {};
  return Object.fromEntries(types.flatMap((type) => (typeof type === 'string' ? [[type, content]] : [])));
}

function schemaOf(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).flatMap(([key, value]): Entry[] => {
    if (value === undefined) return [];
    if (key === 'properties' && isObject(value)) {
      const properties = Object.entries(value).map(([name, property]) => [name, property && nested(property)]);
      return [[key, Object.fromEntries(properties)]];
    }
    return [[key, key === 'items' || key === 'additionalProperties' ? nested(value) : value]];
  });
  return withoutSiblings(Object.fromEntries(entries));
}

function nested(value: JsonValue): JsonValue {
  return isObject(value) ? schemaOf(value) : value;
}

/** In v3 a reference has no siblings, so one that has some moves into `allOf`. */
function withoutSiblings(schema: JsonObject): JsonObject {
  const { $ref: reference, ...siblings } = schema;
  if (typeof reference !== 'string') return schema;
  const $ref = reference.replace('#/definitions/', '#/components/schemas/');
  return Object.keys(siblings).length === 0 ? { $ref } : { ...siblings, allOf: [{ $ref }] };
}

function entryOf(object: JsonObject, key: string): Entry[] {
  const value = getOwn(object, key);
  return value === undefined ? [] : [[key, value]];
}
