import type { JsonObject } from '@binnacle/apimachinery/json';
import { finish, type Steps } from '@binnacle/apimachinery/work';
import { encodeInSteps } from './gnostic-document.js';
import { message, singleField, orReference, type Write } from './gnostic-message.js';
import { writeNested, writeString } from './wire-fields.js';

/**
 * Encodes a v2 document as gnostic's `openapi.v2.Document`, the only form that clients before 1.27 accept. Supports
 * the properties of our documents and throws for any other. Upstream: gnostic-models `openapiv2/OpenAPIv2.proto`.
 */
export function encodeOpenApiV2(document: JsonObject): Buffer {
  return finish(encodeOpenApiV2InSteps(document));
}

/** {@link encodeOpenApiV2}, path by path and type by type. */
export function encodeOpenApiV2InSteps(document: JsonObject): Steps<Buffer> {
  return encodeInSteps(document, parts);
}

/** Custom resources use almost every property that v2 has. */
const schema: Write = message(
  {
    $ref: [1, 'text'],
    format: [2, 'text'],
    title: [3, 'text'],
    description: [4, 'text'],
    default: [5, 'any'],
    multipleOf: [6, 'double'],
    maximum: [7, 'double'],
    exclusiveMaximum: [8, 'flag'],
    minimum: [9, 'double'],
    exclusiveMinimum: [10, 'flag'],
    maxLength: [11, 'integer'],
    minLength: [12, 'integer'],
    pattern: [13, 'text'],
    maxItems: [14, 'integer'],
    minItems: [15, 'integer'],
    uniqueItems: [16, 'flag'],
    maxProperties: [17, 'integer'],
    minProperties: [18, 'integer'],
    required: [19, 'texts'],
    enum: [20, 'anys'],
    additionalProperties: [21, { either: (writer, value) => schema(writer, value) }],
    items: [23, singleField(1, (writer, value) => schema(writer, value))],
    properties: [25, { named: (writer, value) => schema(writer, value) }],
    type: [22, 'type'],
    externalDocs: [29, message({ description: [1, 'text'], url: [2, 'text'] })],
    example: [30, 'any'],
  },
  31,
);

const bodyParameter = message({
  description: [1, 'text'],
  name: [2, 'text'],
  in: [3, 'text'],
  required: [4, 'flag'],
  schema: [5, schema],
});

const queryParameter = message({
  required: [1, 'flag'],
  in: [2, 'text'],
  description: [3, 'text'],
  name: [4, 'text'],
  type: [6, 'text'],
  uniqueItems: [20, 'flag'],
});

const pathParameter = message({
  required: [1, 'flag'],
  in: [2, 'text'],
  description: [3, 'text'],
  name: [4, 'text'],
  type: [5, 'text'],
  uniqueItems: [19, 'flag'],
});

const parameter: Write = (writer, value) => {
  const place = value['in'];
  if (place === 'body') singleField(1, bodyParameter)(writer, value);
  else if (place === 'path') singleField(2, singleField(4, pathParameter))(writer, value);
  else singleField(2, singleField(3, queryParameter))(writer, value);
};

const parameterOrReference = orReference(parameter);

const response = message({ description: [1, 'text'], schema: [2, singleField(1, schema)] });

const operation = message(
  {
    tags: [1, 'texts'],
    description: [3, 'text'],
    operationId: [5, 'text'],
    produces: [6, 'texts'],
    consumes: [7, 'texts'],
    parameters: [8, { each: parameterOrReference }],
    responses: [9, { named: singleField(1, response) }],
    schemes: [10, 'texts'],
  },
  13,
);

const pathItem = message({
  get: [2, operation],
  put: [3, operation],
  post: [4, operation],
  delete: [5, operation],
  options: [6, operation],
  head: [7, operation],
  patch: [8, operation],
  parameters: [9, { each: parameterOrReference }],
});

const apiKey = message({ type: [1, 'text'], name: [2, 'text'], in: [3, 'text'], description: [4, 'text'] });

/** `{ BearerToken: [] }`: a name with an empty list of scopes. */
const requirement: Write = (writer, value) => {
  for (const key of Object.keys(value).reverse()) {
    writeNested(writer, 1, () => {
      writeNested(writer, 2, () => undefined);
      writeString(writer, 1, key);
    });
  }
};

const parts = {
  swagger: [1, 'text'],
  info: [2, message({ title: [1, 'text'], version: [2, 'text'] })],
  paths: [8, { field: 2, members: pathItem }],
  definitions: [9, { field: 1, members: schema }],
  parameters: [10, { named: parameter }],
  security: [12, { each: requirement }],
  securityDefinitions: [13, { named: singleField(2, apiKey) }],
} as const;
