import type { JsonObject, JsonValue } from '@binnacle/apimachinery/json';
import type { Steps } from '@binnacle/apimachinery/work';
import type { Descriptions } from './descriptions.js';
import type { Content, Operation, PathOperations } from './operations.js';
import { commonParameters, sortParameters } from './common-parameters.js';
import type { Parameter } from './parameters.js';
import { statusText } from './status-text.js';
import type { OpenApiSource } from './source.js';
import { TypeWriter } from './type-writer.js';

const sharedBodies: ReadonlyMap<string, string> = new Map([
  ['io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions', 'body-2Y1dVQaQ'],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.Patch', 'body-78PwaGsr'],
]);

/** The single OpenAPI v2 document, with everything. `version` is the server's. */
export function* openApiV2(
  paths: Iterable<PathOperations>,
  source: OpenApiSource,
  descriptions: Descriptions,
  version: string,
): Steps<JsonObject> {
  const writer = new Writer(new TypeWriter('v2', source, descriptions));
  const items: [string, JsonObject][] = [];
  for (const path of paths) {
    items.push([path.path, writer.pathItem(path)]);
    yield;
  }
  items.sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version },
    paths: Object.fromEntries(items),
    definitions: yield* writer.types.definitions(),
    parameters: writer.sharedParameters(),
    securityDefinitions: {
      BearerToken: { description: 'A bearer token.', type: 'apiKey', name: 'authorization', in: 'header' },
    },
    security: [{ BearerToken: [] }],
  };
}

class Writer {
  readonly types: TypeWriter;
  readonly #shared = new Map<string, JsonObject>();

  constructor(types: TypeWriter) {
    this.types = types;
  }

  sharedParameters(): JsonObject {
    return Object.fromEntries([...this.#shared].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  pathItem({ operations }: PathOperations): JsonObject {
    const common = commonParameters(operations);
    const item: JsonObject = {};
    for (const operation of operations) item[operation.method] = this.#operation(operation, common);
    if (common.length > 0) item['parameters'] = common.map((each) => this.#parameter(each));
    return item;
  }

  #operation(operation: Operation, common: readonly Parameter[]): JsonObject {
    const own = operation.parameters.filter((each) => !common.includes(each));
    const parameters = sortParameters(own).map((each) => this.#parameter(each));
    // Sorted by name, so that the body is in its place among the others.
    const before = sortParameters(own).filter((each) => each.name < 'body').length;
    if (operation.body !== undefined) parameters.splice(before, 0, this.#body(operation.body));
    const { consumes, produces, action, kind } = operation;
    return {
      description: operation.description,
      ...(consumes === undefined ? {} : { consumes: [...consumes] }),
      ...(produces === undefined ? {} : { produces: [...produces] }),
      schemes: ['https'],
      tags: [operation.tag],
      operationId: operation.id,
      ...(parameters.length === 0 ? {} : { parameters }),
      responses: this.#responses(operation),
      ...(action === undefined ? {} : { 'x-kubernetes-action': action }),
      ...(kind === undefined
        ? {}
        : { 'x-kubernetes-group-version-kind': { group: kind.group, kind: kind.kind, version: kind.version } }),
    };
  }

  #responses({ responses, answer }: Operation): JsonObject {
    const written: JsonObject = {};
    for (const code of responses) {
      written[String(code)] = { description: statusText(code), schema: this.#schema(answer) };
    }
    written['401'] = { description: statusText(401) };
    return written;
  }

  #schema(content: Content): JsonObject {
    return content === 'text' ? { type: 'string' } : this.types.reference(content.definition);
  }

  #parameter(parameter: Parameter): JsonValue {
    const { name, in: place, type, description, shared } = parameter;
    const written: JsonObject = {
      uniqueItems: true,
      type,
      description,
      name,
      in: place,
      ...(place === 'path' ? { required: true } : {}),
    };
    return shared === undefined ? written : this.#share(shared, written);
  }

  #body({ definition, required }: NonNullable<Operation['body']>): JsonValue {
    const written: JsonObject = {
      name: 'body',
      in: 'body',
      ...(required ? { required } : {}),
      schema: this.types.reference(definition),
    };
    const shared = sharedBodies.get(definition);
    return shared === undefined ? written : this.#share(shared, written);
  }

  #share(shared: string, written: JsonObject): JsonObject {
    this.#shared.set(shared, written);
    return { $ref: `#/parameters/${shared}` };
  }
}
