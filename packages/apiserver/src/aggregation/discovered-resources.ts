import { getOwn, isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import type { Steps } from '@binnacle/apimachinery/work';

/**
 * Readers of what a backend says about its resources. They keep the known fields of the right types, in upstream's
 * order. They leave out everything else, because a backend must not break the document of all groups.
 */

/** The resources of each `group/version` in an APIGroupDiscoveryList; undefined for any other document. */
export function* readAggregated(document: JsonValue): Steps<Map<string, JsonObject[]> | undefined> {
  if (!isObject(document) || getOwn(document, 'kind') !== 'APIGroupDiscoveryList') return undefined;
  const found = new Map<string, JsonObject[]>();
  for (const group of objectsIn(document, 'items')) {
    const metadata = getOwn(group, 'metadata');
    const name = isObject(metadata) ? textIn(metadata, 'name') : '';
    for (const version of objectsIn(group, 'versions')) {
      const resources: JsonObject[] = [];
      for (const resource of objectsIn(version, 'resources')) {
        resources.push(resourceBody(resource));
        yield;
      }
      found.set(`${name}/${textIn(version, 'version')}`, resources);
    }
  }
  return found;
}

/**
 * The resources of an APIResourceList in the form of the aggregated document; undefined for any other document.
 * Upstream: apiserver `endpoints.ConvertGroupVersionIntoToDiscovery`.
 */
export function* readResourceList(document: JsonValue): Steps<JsonObject[] | undefined> {
  if (!isObject(document) || getOwn(document, 'kind') !== 'APIResourceList') return undefined;
  const rows = objectsIn(document, 'resources');
  const bodies = new Map<string, JsonObject>();
  for (const row of rows) {
    const name = textIn(row, 'name');
    if (name !== '' && !name.includes('/')) bodies.set(name, listedResource(row, name));
    yield;
  }
  const below = new Map<JsonObject, JsonObject[]>();
  for (const row of rows) {
    const [resource, subresource] = splitOnce(textIn(row, 'name'));
    if (subresource === undefined) continue;
    const parent = bodies.get(resource) ?? parentOf(row, resource);
    bodies.set(resource, parent);
    const subresources = below.get(parent) ?? [];
    below.set(parent, subresources);
    subresources.push(listedSubresource(row, subresource));
    parent['subresources'] = subresources;
    yield;
  }
  return [...bodies.values()];
}

function resourceBody(resource: JsonObject): JsonObject {
  return {
    resource: textIn(resource, 'resource'),
    responseKind: kindIn(resource),
    scope: textIn(resource, 'scope'),
    singularResource: textIn(resource, 'singularResource'),
    verbs: textsIn(resource, 'verbs'),
    ...ifAny('shortNames', textsIn(resource, 'shortNames')),
    ...ifAny('categories', textsIn(resource, 'categories')),
    ...ifAny(
      'subresources',
      objectsIn(resource, 'subresources').map((subresource) => ({
        subresource: textIn(subresource, 'subresource'),
        responseKind: kindIn(subresource),
        verbs: textsIn(subresource, 'verbs'),
      })),
    ),
  };
}

function listedResource(row: JsonObject, name: string): JsonObject {
  return {
    resource: name,
    responseKind: kindOf(row),
    scope: getOwn(row, 'namespaced') === true ? 'Namespaced' : 'Cluster',
    singularResource: textIn(row, 'singularName'),
    verbs: textsIn(row, 'verbs'),
    ...ifAny('shortNames', textsIn(row, 'shortNames')),
    ...ifAny('categories', textsIn(row, 'categories')),
  };
}

/** A resource that exists only as the parent of its subresources. */
function parentOf(row: JsonObject, resource: string): JsonObject {
  const scope = getOwn(row, 'namespaced') === true ? 'Namespaced' : 'Cluster';
  return { resource, responseKind: { group: '', version: '', kind: '' }, scope, singularResource: '', verbs: [] };
}

function listedSubresource(row: JsonObject, subresource: string): JsonObject {
  return { subresource, responseKind: kindOf(row), verbs: textsIn(row, 'verbs') };
}

const kindOf = (row: JsonObject): JsonObject => ({
  group: textIn(row, 'group'),
  version: textIn(row, 'version'),
  kind: textIn(row, 'kind'),
});

function kindIn(object: JsonObject): JsonObject {
  const kind = getOwn(object, 'responseKind');
  return kindOf(isObject(kind) ? kind : {});
}

function splitOnce(name: string): readonly [string, string | undefined] {
  const slash = name.indexOf('/');
  return slash < 0 ? [name, undefined] : [name.slice(0, slash), name.slice(slash + 1)];
}

function textIn(object: JsonObject, key: string): string {
  const value = getOwn(object, key);
  return typeof value === 'string' ? value : '';
}

function textsIn(object: JsonObject, key: string): string[] {
  const value = getOwn(object, key);
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function objectsIn(object: JsonObject, key: string): JsonObject[] {
  const value = getOwn(object, key);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

const ifAny = (key: string, values: readonly JsonValue[]): JsonObject =>
  values.length === 0 ? {} : { [key]: [...values] };
