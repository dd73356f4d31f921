import type { JsonObject } from '@binnacle/apimachinery/json';
import { finish, type Steps } from '@binnacle/apimachinery/work';
import { encodeInSteps } from './gnostic-document.js';
import { message, singleField, orReference, type Write, writeNamed } from './gnostic-message.js';

/**
 * Encodes a v3 document as gnostic's `openapi.v3.Document`. Supports the properties of our documents and throws for
 * any other. Upstream: kube-openapi `handler3.ToV3ProtoBinary`, gnostic-models `openapiv3/OpenAPIv3.proto`.
 */
export function encodeOpenApiV3(document: JsonObject): Buffer {
  return finish(encodeOpenApiV3InSteps(document));
}

/** {@link encodeOpenApiV3}, path by path and type by type. */
export function encodeOpenApiV3InSteps(document: JsonObject): Steps<Buffer> {
  return encodeInSteps(document, parts);
}

/** The numbers of the fields that hold properties that begin with `x-`. */
const SCHEMA_EXTENSIONS = 36;
const OPERATION_EXTENSIONS = 13;

const schemaOrReference = orReference((writer, value) => schema(writer, value));

/** Custom resources use almost every property that v3 has. */
const schema: Write = message(
  {
    nullable: [1, 'flag'],
    externalDocs: [6, message({ description: [1, 'text'], url: [2, 'text'] })],
    example: [7, 'any'],
    title: [9, 'text'],
    multipleOf: [10, 'double'],
    maximum: [11, 'double'],
    exclusiveMaximum: [12, 'flag'],
    minimum: [13, 'double'],
    exclusiveMinimum: [14, 'flag'],
    maxLength: [15, 'integer'],
    minLength: [16, 'integer'],
    pattern: [17, 'text'],
    maxItems: [18, 'integer'],
    minItems: [19, 'integer'],
    uniqueItems: [20, 'flag'],
    maxProperties: [21, 'integer'],
    minProperties: [22, 'integer'],
    required: [23, 'texts'],
    enum: [24, 'anys'],
    type: [25, 'text'],
    allOf: [26, { each: schemaOrReference }],
    oneOf: [27, { each: schemaOrReference }],
    anyOf: [28, { each: schemaOrReference }],
    not: [29, (writer, value) => schema(writer, value)],
    items: [30, singleField(1, schemaOrReference)],
    properties: [31, { named: schemaOrReference }],
    additionalProperties: [32, { either: schemaOrReference }],
    default: [33, 'scalar'],
    description: [34, 'text'],
    format: [35, 'text'],
  },
  SCHEMA_EXTENSIONS,
);

const content: Write = message({ schema: [1, schemaOrReference] });

const parameter = message({
  name: [1, 'text'],
  in: [2, 'text'],
  description: [3, 'text'],
  required: [4, 'flag'],
  schema: [10, schemaOrReference],
});

const requestBody = message({ content: [2, { named: content }], required: [3, 'flag'] });

const response = message({ description: [1, 'text'], content: [3, { named: content }] });

const operation = message(
  {
    tags: [1, 'texts'],
    description: [3, 'text'],
    operationId: [5, 'text'],
    parameters: [6, { each: singleField(1, parameter) }],
    requestBody: [7, singleField(1, requestBody)],
    responses: [8, (writer, value) => writeNamed(writer, 2, singleField(1, response), value)],
  },
  OPERATION_EXTENSIONS,
);

const pathItem = message({
  get: [4, operation],
  put: [5, operation],
  post: [6, operation],
  delete: [7, operation],
  options: [8, operation],
  head: [9, operation],
  patch: [10, operation],
  parameters: [13, { each: singleField(1, parameter) }],
});

const apiKey = message({ type: [1, 'text'], description: [2, 'text'], name: [3, 'text'], in: [4, 'text'] });

const parts = {
  openapi: [1, 'text'],
  info: [2, message({ title: [1, 'text'], version: [6, 'text'] })],
  paths: [4, { field: 1, members: pathItem }],
  components: [
    5,
    {
      parts: {
        schemas: [1, { field: 1, members: schemaOrReference }],
        securitySchemes: [7, { named: singleField(1, apiKey) }],
      },
    },
  ],
} as const;
