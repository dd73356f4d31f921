import type { SubresourceFacts } from '@binnacle/api/table';
import type { GroupVersionKind } from '@binnacle/apimachinery/meta';
import {
  anyMediaType,
  capitalize,
  groupTag,
  listMediaTypes,
  meta,
  type Method,
  objectMediaTypes,
  type Operation,
  patchMediaTypes,
  type PathOperations,
} from './operations.js';
import {
  deleteCollectionParameters,
  deleteParameters,
  listParameters,
  name,
  namespace,
  type Parameter,
  patchParameters,
  pretty,
  proxiedPath,
  subresourceParameters,
  writeParameters,
} from './parameters.js';
import type { OpenApiResource, OpenApiSource } from './source.js';

/** Resources whose deletes answer with the object instead of a Status. */
const answersDeleted: ReadonlySet<string> = new Set([
  'persistentvolumeclaims.',
  'persistentvolumes.',
  'pods.',
  'podtemplates.',
  'resourcequotas.',
  'serviceaccounts.',
  'services.',
  'csidrivers.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'storageclasses.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
  'volumeattributesclasses.storage.k8s.io',
  'deviceclasses.resource.k8s.io',
  'devicetaintrules.resource.k8s.io',
  'resourceclaims.resource.k8s.io',
  'resourceclaimtemplates.resource.k8s.io',
  'resourcepoolstatusrequests.resource.k8s.io',
  'resourceslices.resource.k8s.io',
]);

const methodsOfVerb: ReadonlyMap<string, readonly Method[]> = new Map<string, readonly Method[]>([
  ['get', ['get']],
  ['create', ['post']],
  ['update', ['put']],
  ['patch', ['patch']],
  ['delete', ['delete']],
]);

/** Proxies pass every method on; the verbs of discovery name no more than those that have a verb of their own. */
const proxyMethods: readonly Method[] = ['delete', 'get', 'head', 'options', 'patch', 'post', 'put'];

/** What all operations of a resource or subresource have in common. */
interface Subject {
  readonly tag: string;
  /** `CoreV1`: after the verb in operation ids. */
  readonly idPrefix: string;
  /** `Pod`, `PodStatus`: at the end of operation ids. */
  readonly idSuffix: string;
  readonly namespaced: boolean;
  readonly kind: GroupVersionKind;
  /** The kind of the resource itself, for descriptions. */
  readonly noun: string;
  readonly definition: string;
}

/** Every path of a resource, its subresources and its old watch paths. Upstream: `pkg/endpoints/installer.go`. */
export function resourcePaths(resource: OpenApiResource, source: OpenApiSource): PathOperations[] {
  const { group, version } = resource;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const tag = `${groupTag(group)}_${version}`;
  const idPrefix = capitalize(groupTag(group)) + capitalize(version);
  const subject: Subject = {
    tag,
    idPrefix,
    idSuffix: resource.kind,
    namespaced: resource.namespaced,
    kind: { group, version, kind: resource.kind },
    noun: resource.kind,
    definition: resource.definition,
  };
  const within = resource.namespaced ? 'namespaces/{namespace}/' : '';
  const scope = resource.namespaced ? [namespace] : [];
  const collection = `${within}${resource.resource}`;
  const item = `${collection}/{name}`;
  const paths: PathOperations[] = [
    { path: `${root}/${collection}`, operations: collectionOperations(subject, resource, source, scope) },
    { path: `${root}/${item}`, operations: itemOperations(subject, resource, [...scope, name]) },
  ];
  if (resource.namespaced) {
    const everywhere = resource.verbs.includes('list') ? [listOperation(subject, resource, source, [], true)] : [];
    paths.push({ path: `${root}/${resource.resource}`, operations: everywhere });
  }
  if (resource.verbs.includes('watch')) paths.push(...watchPaths(subject, root, resource));
  for (const subresource of resource.subresources ?? []) {
    paths.push(...subresourcePaths(subject, resource, subresource, source, `${root}/${item}`, [...scope, name]));
  }
  return paths.filter(({ operations }) => operations.length > 0);
}

function idOf(subject: Subject, verb: string, suffix = '', namespaced = subject.namespaced): string {
  return `${verb}${subject.idPrefix}${namespaced ? 'Namespaced' : ''}${subject.idSuffix}${suffix}`;
}

function listDefinition(resource: OpenApiResource, source: OpenApiSource): string {
  const { listKind } = resource;
  return (
    (listKind === undefined ? undefined : source.definitionOf({ ...resource, kind: listKind })) ?? `${meta}.Status`
  );
}

function listOperation(
  subject: Subject,
  resource: OpenApiResource,
  source: OpenApiSource,
  scope: readonly Parameter[],
  everywhere: boolean,
): Operation {
  return {
    method: 'get',
    id: everywhere ? idOf(subject, 'list', 'ForAllNamespaces', false) : idOf(subject, 'list'),
    tag: subject.tag,
    description: `Lists or watches ${subject.noun} objects.`,
    action: 'list',
    kind: subject.kind,
    parameters: [...scope, pretty, ...listParameters],
    consumes: anyMediaType,
    produces: listMediaTypes,
    responses: [200],
    answer: { definition: listDefinition(resource, source) },
  };
}

function collectionOperations(
  subject: Subject,
  resource: OpenApiResource,
  source: OpenApiSource,
  scope: readonly Parameter[],
): Operation[] {
  const operations: Operation[] = [];
  if (resource.verbs.includes('deletecollection')) {
    operations.push({
      method: 'delete',
      // Upstream splits "deletecollection" at its first verb.
      id: `delete${subject.idPrefix}Collection${subject.namespaced ? 'Namespaced' : ''}${subject.idSuffix}`,
      tag: subject.tag,
      description: `Deletes ${subject.noun} objects.`,
      action: 'deletecollection',
      kind: subject.kind,
      parameters: [...scope, pretty, ...deleteCollectionParameters],
      body: { definition: `${meta}.DeleteOptions`, required: false },
      consumes: anyMediaType,
      produces: objectMediaTypes,
      responses: [200],
      answer: { definition: `${meta}.Status` },
    });
  }
  if (resource.verbs.includes('list')) operations.push(listOperation(subject, resource, source, scope, false));
  if (resource.verbs.includes('create')) operations.push(objectOperation(subject, 'post', scope));
  return operations;
}

function itemOperations(subject: Subject, resource: OpenApiResource, scope: readonly Parameter[]): Operation[] {
  const operations: Operation[] = [];
  for (const verb of resource.verbs) {
    const method = verb === 'create' ? undefined : methodsOfVerb.get(verb)?.[0];
    if (method === 'delete') {
      const deleted = answersDeleted.has(`${resource.resource}.${resource.group}`);
      operations.push(deleteOperation(subject, scope, deleted ? subject.definition : `${meta}.Status`));
    } else if (method !== undefined) {
      operations.push(objectOperation(subject, method, scope));
    }
  }
  return operations;
}

function deleteOperation(subject: Subject, scope: readonly Parameter[], definition: string): Operation {
  return {
    method: 'delete',
    id: idOf(subject, 'delete'),
    tag: subject.tag,
    description: `Deletes one ${subject.noun}.`,
    action: 'delete',
    kind: subject.kind,
    parameters: [...scope, pretty, ...deleteParameters],
    body: { definition: `${meta}.DeleteOptions`, required: false },
    consumes: anyMediaType,
    produces: objectMediaTypes,
    responses: [200, 202],
    answer: { definition },
  };
}

interface ObjectMethod {
  readonly verb: string;
  readonly text: string;
  readonly parameters: readonly Parameter[];
  readonly consumes: readonly string[];
  readonly responses: readonly number[];
}

/** Methods that read or write one object of the subject's kind. */
const objectMethods: ReadonlyMap<Method, ObjectMethod> = new Map<Method, ObjectMethod>([
  ['get', { verb: 'read', text: 'Reads', parameters: [], consumes: anyMediaType, responses: [200] }],
  [
    'put',
    { verb: 'replace', text: 'Replaces', parameters: writeParameters, consumes: anyMediaType, responses: [200, 201] },
  ],
  [
    'patch',
    {
      verb: 'patch',
      text: 'Changes part of',
      parameters: patchParameters,
      consumes: patchMediaTypes,
      responses: [200, 201],
    },
  ],
  [
    'post',
    {
      verb: 'create',
      text: 'Creates',
      parameters: writeParameters,
      consumes: anyMediaType,
      responses: [200, 201, 202],
    },
  ],
]);

function objectOperation(subject: Subject, method: Method, scope: readonly Parameter[]): Operation {
  const facts = objectMethods.get(method);
  if (facts === undefined) throw new Error(`${method} does not read or write one object`);
  const body =
    method === 'get'
      ? undefined
      : { definition: method === 'patch' ? `${meta}.Patch` : subject.definition, required: true };
  return {
    method,
    id: idOf(subject, facts.verb),
    tag: subject.tag,
    description: `${facts.text} ${subject.idSuffix === subject.noun ? 'one' : `${subject.idSuffix.slice(subject.noun.length).toLowerCase()} of one`} ${subject.noun}.`,
    action: method,
    kind: subject.kind,
    parameters: [...scope, pretty, ...facts.parameters],
    ...(body === undefined ? {} : { body }),
    consumes: facts.consumes,
    produces: objectMediaTypes,
    responses: facts.responses,
    answer: { definition: subject.definition },
  };
}

/** `/api/v1/watch/...`: superseded by `?watch=true`, and still there. */
function watchPaths(subject: Subject, root: string, resource: OpenApiResource): PathOperations[] {
  const { resource: plural, namespaced } = resource;
  const operation = (id: string, action: string, scope: readonly Parameter[]): Operation => ({
    method: 'get',
    id,
    tag: subject.tag,
    description: `Watches ${subject.noun} objects. Superseded by a list with watch=true.`,
    action,
    kind: subject.kind,
    parameters: [...scope, pretty, ...listParameters],
    consumes: anyMediaType,
    produces: listMediaTypes,
    responses: [200],
    answer: { definition: `${meta}.WatchEvent` },
  });
  const collection = `${root}/watch/${namespaced ? 'namespaces/{namespace}/' : ''}${plural}`;
  const scope = namespaced ? [namespace] : [];
  const paths: PathOperations[] = [];
  if (resource.verbs.includes('list')) {
    paths.push({ path: collection, operations: [operation(idOf(subject, 'watch', 'List'), 'watchlist', scope)] });
    if (namespaced) {
      const id = idOf(subject, 'watch', 'ListForAllNamespaces', false);
      paths.push({ path: `${root}/watch/${plural}`, operations: [operation(id, 'watchlist', [])] });
    }
  }
  paths.push({
    path: `${collection}/{name}`,
    operations: [operation(idOf(subject, 'watch'), 'watch', [...scope, name])],
  });
  return paths;
}

function subresourcePaths(
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
      description: `Connects ${method.toUpperCase()} requests to ${subresource.name} of one ${subject.noun}.`,
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

/** A log is text; errors about it come as objects. */
function asText(operation: Operation): Operation {
  return { ...operation, produces: ['text/plain', ...(operation.produces ?? [])], answer: 'text' };
}
