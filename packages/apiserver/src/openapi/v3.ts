import type { JsonObject } from '@binnacle/apimachinery/json';
import type { Steps } from '@binnacle/apimachinery/work';
import { commonParameters, sortParameters } from './common-parameters.js';
import type { Descriptions } from './descriptions.js';
import type { Content, Operation, PathOperations } from './operations.js';
import type { Parameter } from './parameters.js';
import type { OpenApiSource } from './source.js';
import { statusText } from './status-text.js';
import { TypeWriter } from './type-writer.js';

/** The header of a document. */
export interface DocumentInfo {
  readonly title: string;
  readonly version: string;
  /** Whether it describes authentication. */
  readonly security: boolean;
}

/** The header of our own documents; `version` is the server's. */
export function ownDocument(version: string): DocumentInfo {
  return { title: 'Kubernetes', version, security: true };
}

export const customDocument: DocumentInfo = { title: 'Kubernetes CRD Swagger', version: 'v0.1.0', security: false };

/** One OpenAPI v3 document: the given paths, and the types that they need. */
export function* openApiV3(
  paths: Iterable<PathOperations>,
  source: OpenApiSource,
  descriptions: Descriptions,
  { title, version, security }: DocumentInfo,
): Steps<JsonObject> {
  const types = new TypeWriter('v3', source, descriptions);
  const items: [string, JsonObject][] = [];
  for (const { path, operations } of paths) {
    items.push([path, pathItem(operations, types)]);
    yield;
  }
  items.sort(([a], [b]) => (a < b ? -1 : 1));
  const schemas = yield* types.definitions();
  return {
    openapi: '3.0.0',
    info: { title, version },
    paths: Object.fromEntries(items),
    components: {
      ...(Object.keys(schemas).length === 0 ? {} : { schemas }),
      ...(security ? { securitySchemes } : {}),
    },
  };
}

const securitySchemes: JsonObject = {
  BearerToken: { type: 'apiKey', description: 'A bearer token.', name: 'authorization', in: 'header' },
};

function pathItem(operations: readonly Operation[], types: TypeWriter): JsonObject {
  const common = commonParameters(operations);
  const item: JsonObject = {};
  for (const operation of operations) item[operation.method] = operationBody(operation, common, types);
  if (common.length > 0) item['parameters'] = common.map(parameterBody);
  return item;
}

function operationBody(operation: Operation, common: readonly Parameter[], types: TypeWriter): JsonObject {
  const own = sortParameters(operation.parameters.filter((each) => !common.includes(each)));
  const { body, consumes = [], action, kind } = operation;
  return {
    tags: [operation.tag],
    description: operation.description,
    operationId: operation.id,
    ...(own.length === 0 ? {} : { parameters: own.map(parameterBody) }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            content: contentBody(consumes, body, types),
            ...(body.required ? { required: true } : {}),
          },
        }),
    responses: responses(operation, types),
    ...(action === undefined ? {} : { 'x-kubernetes-action': action }),
    ...(kind === undefined
      ? {}
      : { 'x-kubernetes-group-version-kind': { group: kind.group, version: kind.version, kind: kind.kind } }),
  };
}

function responses(operation: Operation, types: TypeWriter): JsonObject {
  const written: JsonObject = {};
  for (const code of operation.responses) {
    written[String(code)] = {
      description: statusText(code),
      content: contentBody(operation.produces ?? [], operation.answer, types),
    };
  }
  written['401'] = { description: statusText(401) };
  return written;
}

function contentBody(mediaTypes: readonly string[], content: Content, types: TypeWriter): JsonObject {
  const body: JsonObject = {};
  for (const mediaType of [...mediaTypes].sort()) {
    body[mediaType] = { schema: content === 'text' ? { type: 'string' } : types.reference(content.definition) };
  }
  return body;
}

function parameterBody(parameter: Parameter): JsonObject {
  const { name, in: place, type, description } = parameter;
  return {
    name,
    in: place,
    description,
    ...(place === 'path' ? { required: true } : {}),
    schema: { type, uniqueItems: true },
  };
}
