import { deleteOperation, idOf, methodsOfVerb, objectOperation, type Subject } from './object-operations.js';
import { builtInMediaTypes, customMediaTypes } from './media-types.js';
import { capitalize, groupTag, meta, type Operation, type PathOperations } from './operations.js';
import { deleteCollectionParameters, listParameters, name, namespace, type Parameter, pretty } from './parameters.js';
import type { OpenApiResource, OpenApiSource } from './source.js';
import { subresourcePaths } from './subresource-paths.js';

/** Resources whose deletes return the object instead of a Status. */
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

/** Every path of a resource, its subresources and its legacy watch paths. Upstream: `pkg/endpoints/installer.go`. */
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
    one: `one ${resource.kind}`,
    definition: resource.definition,
    mediaTypes: resource.untyped === true ? customMediaTypes : builtInMediaTypes(source.serializers),
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
    description: `Lists or watches ${subject.idSuffix} objects.`,
    action: 'list',
    kind: subject.kind,
    parameters: [...scope, pretty, ...listParameters],
    consumes: subject.mediaTypes.bodies,
    produces: subject.mediaTypes.lists,
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
      // Upstream splits "deletecollection" after its first verb.
      id: `delete${subject.idPrefix}Collection${subject.namespaced ? 'Namespaced' : ''}${subject.idSuffix}`,
      tag: subject.tag,
      description: `Deletes ${subject.idSuffix} objects.`,
      action: 'deletecollection',
      kind: subject.kind,
      parameters: [...scope, pretty, ...deleteCollectionParameters],
      body: { definition: `${meta}.DeleteOptions`, required: false },
      consumes: subject.mediaTypes.bodies,
      produces: subject.mediaTypes.answers,
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

/** `/api/v1/watch/...`: deprecated in favour of `?watch=true`, and still served. */
function watchPaths(subject: Subject, root: string, resource: OpenApiResource): PathOperations[] {
  const { resource: plural, namespaced } = resource;
  const operation = (id: string, action: string, scope: readonly Parameter[]): Operation => ({
    method: 'get',
    id,
    tag: subject.tag,
    description: `Watches ${subject.idSuffix} objects. Superseded by a list with watch=true.`,
    action,
    kind: subject.kind,
    parameters: [...scope, pretty, ...listParameters],
    consumes: subject.mediaTypes.bodies,
    produces: subject.mediaTypes.lists,
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
