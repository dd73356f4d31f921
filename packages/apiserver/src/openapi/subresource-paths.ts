import type { SubresourceFacts } from '@binnacle/api/table';
import { methodsOfVerb, objectOperation, type Subject } from './object-operations.js';
import { anyMediaType } from './media-types.js';
import { capitalize, meta, type Method, type Operation, type PathOperations } from './operations.js';
import { type Parameter, proxiedPath, subresourceParameters } from './parameters.js';
import type { OpenApiResource, OpenApiSource } from './source.js';

/** Proxies accept every method; discovery only lists methods with a verb of their own. */
const proxyMethods: readonly Method[] = ['delete', 'get', 'head', 'options', 'patch', 'post', 'put'];

/** The paths of a subresource; `item` is the path of its object. */
export function subresourcePaths(
  parent: Subject,
  resource: OpenApiResource,
  subresource: SubresourceFacts,
  source: OpenApiSource,
  item: string,
  scope: readonly Parameter[],
): PathOperations[] {
  const own = {
    group: subresource.group ?? resource.group,
    version: subresource.version ?? resource.version,
    kind: subresource.kind,
  };
  const subject: Subject = {
    ...parent,
    idSuffix: parent.idSuffix + capitalize(subresource.name),
    one: `${subresource.name} of ${parent.one}`,
    kind: own,
    definition: source.definitionOf(own) ?? `${meta}.Status`,
  };
  const extra = subresourceParameters.get(`${resource.resource}/${subresource.name}`) ?? [];
  const path = `${item}/${subresource.name}`;
  if (subresource.connect !== true) {
    const operations = subresource.verbs.flatMap((verb) =>
      (methodsOfVerb.get(verb) ?? []).map((method) => objectOperation(subject, method, [...scope, ...extra])),
    );
    return [{ path, operations: extra.length === 0 ? operations : operations.map(asText) }];
  }
  const methods =
    subresource.path === true ? proxyMethods : subresource.verbs.flatMap((verb) => methodsOfVerb.get(verb) ?? []);
  const connect = (suffix: string, parameters: readonly Parameter[]): Operation[] =>
    methods.map((method) => ({
      method,
      id: `connect${subject.idPrefix}${capitalize(method)}${subject.namespaced ? 'Namespaced' : ''}${subject.idSuffix}${suffix}`,
      tag: subject.tag,
      description: `Connects ${method.toUpperCase()} requests to ${subject.one}.`,
      action: 'connect',
      kind: subject.kind,
      parameters,
      consumes: anyMediaType,
      produces: anyMediaType,
      responses: [200],
      answer: 'text',
    }));
  const paths = [{ path, operations: connect('', [...scope, ...extra]) }];
  if (subresource.path === true) {
    paths.push({ path: `${path}/{path}`, operations: connect('WithPath', [...scope, proxiedPath, ...extra]) });
  }
  return paths;
}

/** A log is plain text, but its errors are objects. */
function asText(operation: Operation): Operation {
  return { ...operation, produces: ['text/plain', ...(operation.produces ?? [])], answer: 'text' };
}
