import { compareUtf8, type JsonObject } from '@binnacle/apimachinery/json';
import { names } from './documents.js';
import type { DiscoveredGroup, DiscoveredResource, DiscoveredSubresource, DiscoveredVersion } from './source.js';

/**
 * The aggregated document of `/api` (the core group) or `/apis` (all others): every group with its versions and
 * resources.
 */
export function apiGroupDiscoveryList(groups: readonly DiscoveredGroup[]): JsonObject {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map(({ group, versions }) => ({
      metadata: group === '' ? {} : { name: group },
      versions: versions.map((version) => versionBody(group, version)),
    })),
  };
}

function versionBody(group: string, version: DiscoveredVersion): JsonObject {
  const resources = version.described ?? ownResources(group, version);
  return {
    version: version.version,
    ...(resources.length === 0 ? {} : { resources: [...resources] }),
    freshness: version.freshness ?? 'Current',
  };
}

function ownResources(group: string, { version, resources }: DiscoveredVersion): JsonObject[] {
  return [...resources]
    .sort((a, b) => compareUtf8(a.resource, b.resource))
    .map((each) => resourceBody(group, version, each));
}

function resourceBody(group: string, version: string, resource: DiscoveredResource): JsonObject {
  // The group and version of a kind are omitted when they equal the resource's, except for custom resources.
  const own = resource.qualified === true ? { group, version } : { group: '', version: '' };
  const subresources = [...(resource.subresources ?? [])].sort((a, b) => compareUtf8(a.name, b.name));
  return {
    resource: resource.resource,
    responseKind: { ...own, kind: resource.kind },
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: resource.singular,
    verbs: [...resource.verbs],
    ...names(resource),
    ...(subresources.length === 0 ? {} : { subresources: subresources.map((each) => subresourceBody(own, each)) }),
  };
}

function subresourceBody(own: { group: string; version: string }, subresource: DiscoveredSubresource): JsonObject {
  return {
    subresource: subresource.name,
    responseKind: {
      group: subresource.group ?? own.group,
      version: subresource.version ?? own.version,
      kind: subresource.kind,
    },
    verbs: [...subresource.verbs],
  };
}
