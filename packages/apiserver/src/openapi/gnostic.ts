import { isObject, type JsonObject, type JsonValue, stringifyJson } from '@binnacle/apimachinery/json';
import { type WireWriter, writeMessage } from '@binnacle/apimachinery/protobuf';
import { writeNested, writeString, writeTrue } from './wire-fields.js';

/** Writes what a message holds; from its last field to its first, as `WireWriter` does. */
type Write = (writer: WireWriter, value: JsonObject) => void;

/**
 * How a JSON property goes into a message: its field number, and the form of its value.
 * - `text`, `texts`, `flag`: a string, strings, a true
 * - `type`: a string inside a message of its own, which could hold several
 * - a function: a message; `each`: a list of them; `named`: an object of them, each with its key
 */
type Form = 'text' | 'texts' | 'flag' | 'type' | Write | { readonly each: Write } | { readonly named: Write };
type Message = ReadonlyMap<string, readonly [field: number, form: Form]>;

/**
 * A v2 document in the protobuf form of gnostic's `openapi.v2.Document`, the only form that clients before 1.27 ask for.
 * Knows what documents of ours contain, and throws for anything else. Upstream: gnostic-models `openapiv2/OpenAPIv2.proto`.
 */
export function encodeOpenApiV2(document: JsonObject): Buffer {
  return writeMessage((writer) => writeDocument(writer, document));
}

/** `extensions`: the number of the field for properties that begin with `x-`. */
function message(fields: Record<string, readonly [field: number, form: Form]>, extensions?: number): Write {
  const known: Message = new Map(Object.entries(fields));
  return (writer, value) => {
    for (const key of Object.keys(value).reverse()) {
      const item = value[key];
      if (item === undefined) continue;
      const rule = known.get(key);
      if (rule !== undefined) writeField(writer, rule[0], rule[1], item, key);
      else if (extensions !== undefined && key.startsWith('x-')) {
        writeNested(writer, extensions, () => {
          // Readers take the value for YAML, and JSON is YAML.
          writeNested(writer, 2, () => writeString(writer, 2, stringifyJson(item)));
          writeString(writer, 1, key);
        });
      } else throw new Error(`no protobuf form of OpenAPI property ${key}`);
    }
  };
}

function writeField(writer: WireWriter, field: number, form: Form, value: JsonValue, key: string): void {
  if (form === 'text' && typeof value === 'string') writeString(writer, field, value);
  else if (form === 'flag' && typeof value === 'boolean') {
    if (value) writeTrue(writer, field);
  } else if (form === 'texts' && Array.isArray(value)) {
    for (const text of value.toReversed()) if (typeof text === 'string') writeString(writer, field, text);
  } else if (form === 'type' && typeof value === 'string') {
    writeNested(writer, field, () => writeString(writer, 1, value));
  } else if (typeof form === 'function' && isObject(value)) {
    writeNested(writer, field, () => form(writer, value));
  } else if (typeof form === 'object' && 'each' in form && Array.isArray(value)) {
    for (const item of value.toReversed()) {
      if (isObject(item)) writeNested(writer, field, () => form.each(writer, item));
    }
  } else if (typeof form === 'object' && 'named' in form && isObject(value)) {
    writeNested(writer, field, () => writeNamed(writer, 1, form.named, value));
  } else throw new Error(`OpenAPI property ${key} has a value of another type`);
}

/** Each property as a message of its key (1) and its value (2). */
function writeNamed(writer: WireWriter, field: number, write: Write, value: JsonObject): void {
  for (const key of Object.keys(value).reverse()) {
    const item = value[key];
    if (!isObject(item)) continue;
    writeNested(writer, field, () => {
      writeNested(writer, 2, () => write(writer, item));
      writeString(writer, 1, key);
    });
  }
}

/** Wraps a value into the one field of a message: gnostic has such a message for every choice. */
function only(field: number, write: Write): Write {
  return (writer, value) => writeNested(writer, field, () => write(writer, value));
}

const schema: Write = message(
  {
    $ref: [1, 'text'],
    format: [2, 'text'],
    description: [4, 'text'],
    required: [19, 'texts'],
    additionalProperties: [21, (writer, value) => writeNested(writer, 1, () => schema(writer, value))],
    items: [23, (writer, value) => writeNested(writer, 1, () => schema(writer, value))],
    properties: [25, { named: (writer, value) => schema(writer, value) }],
    type: [22, 'type'],
  },
  31,
);

const reference = message({ $ref: [1, 'text'] });

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
  if (place === 'body') only(1, bodyParameter)(writer, value);
  else if (place === 'path') only(2, only(4, pathParameter))(writer, value);
  else only(2, only(3, queryParameter))(writer, value);
};

const parameterOrReference: Write = (writer, value) => {
  if (value['$ref'] === undefined) only(1, parameter)(writer, value);
  else only(2, reference)(writer, value);
};

const response = message({ description: [1, 'text'], schema: [2, only(1, schema)] });

const operation = message(
  {
    tags: [1, 'texts'],
    description: [3, 'text'],
    operationId: [5, 'text'],
    produces: [6, 'texts'],
    consumes: [7, 'texts'],
    parameters: [8, { each: parameterOrReference }],
    responses: [9, { named: only(1, response) }],
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

const writeDocument = message({
  swagger: [1, 'text'],
  info: [2, message({ title: [1, 'text'], version: [2, 'text'] })],
  paths: [8, (writer, value) => writeNamed(writer, 2, pathItem, value)],
  definitions: [9, { named: schema }],
  parameters: [10, { named: parameter }],
  security: [12, { each: requirement }],
  securityDefinitions: [13, { named: only(2, apiKey) }],
});
