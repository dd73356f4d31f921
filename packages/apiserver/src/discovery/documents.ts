import { compareUtf8, type JsonObject } from '@binnacle/apimachinery/json';
import { formatGroupVersion } from '@binnacle/apimachinery/meta';
import type { DiscoveredGroup, DiscoveredResource, DiscoveredSubresource, DiscoveredVersion } from './source.js';

/** The plain documents, with keys in upstream's order. Those of the core group have no `apiVersion`. */

/** `/api`. `serverAddress` is `host:port`. */
export function apiVersions(core: DiscoveredGroup | undefined, serverAddress: string): JsonObject {
  return {
    kind: 'APIVersions',
    versions: core?.versions.map(({ version }) => version) ?? [],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

/** `/apis`. */
export function apiGroupList(groups: readonly DiscoveredGroup[]): JsonObject {
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: groups.filter(({ group }) => group !== '').map(groupBody),
  };
}

/** `/apis/<group>`. */
export function apiGroup(group: DiscoveredGroup): JsonObject {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupBody(group) };
}

function groupBody({ group, versions }: DiscoveredGroup): JsonObject {
  const shown = versions.map(({ version }) => ({ groupVersion: formatGroupVersion({ group, version }), version }));
  return { name: group, versions: shown, ...(shown[0] === undefined ? {} : { preferredVersion: shown[0] }) };
}

/**
 * `/api/v1` and `/apis/<group>/<version>`: resources and subresources in one list, sorted by name unless the version is
 * `inOrder`.
 */
export function apiResourceList(group: string, version: DiscoveredVersion): JsonObject {
  const rows: [name: string, row: JsonObject][] = [];
  for (const resource of version.resources) {
    rows.push([resource.resource, resourceRow(resource)]);
    for (const subresource of resource.subresources ?? []) {
      const name = `${resource.resource}/${subresource.name}`;
      rows.push([name, subresourceRow(name, resource, subresource)]);
    }
  }
  if (version.inOrder !== true) rows.sort(([a], [b]) => compareUtf8(a, b));
  return {
    kind: 'APIResourceList',
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: formatGroupVersion({ group, version: version.version }),
    resources: rows.map(([, row]) => row),
  };
}

function resourceRow(resource: DiscoveredResource): JsonObject {
  return {
    name: resource.resource,
    singularName: resource.singular,
    namespaced: resource.namespaced,
    kind: resource.kind,
    verbs: [...resource.verbs],
    ...names(resource),
    ...(resource.storageVersionHash === undefined ? {} : { storageVersionHash: resource.storageVersionHash }),
  };
}

function subresourceRow(name: string, resource: DiscoveredResource, subresource: DiscoveredSubresource): JsonObject {
  return {
    name,
    singularName: '',
    namespaced: resource.namespaced,
    ...(subresource.group === undefined ? {} : { group: subresource.group }),
    ...(subresource.version === undefined ? {} : { version: subresource.version }),
    kind: subresource.kind,
    verbs: [...subresource.verbs],
  };
}

/** Short names and categories, if any. */
export function names(resource: DiscoveredResource): JsonObject {
  return {
    ...(resource.shortNames === undefined || resource.shortNames.length === 0
      ? {}
      : { shortNames: [...resource.shortNames] }),
    ...(resource.categories === undefined || resource.categories.length === 0
      ? {}
      : { categories: [...resource.categories] }),
  };
}
