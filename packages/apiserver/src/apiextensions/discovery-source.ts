import { createHash } from 'node:crypto';
import type { DiscoveredGroup, DiscoveredResource, DiscoveredSubresource } from '../discovery/index.js';
import type { ServedDefinition, ServedVersion } from './served-definition.js';
import { compareVersions } from '../discovery/index.js';

/** Upstream's order, which is arbitrary. */
const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const terminatingVerbs = ['delete', 'deletecollection', 'get', 'list', 'watch'];
const viewVerbs = ['get', 'patch', 'update'];

/** Discovery of established custom resources. Upstream: `customresource_discovery_controller.go`. */
export function discoveredGroups(definitions: readonly ServedDefinition[]): DiscoveredGroup[] {
  const groups = new Map<string, Map<string, DiscoveredResource[]>>();
  for (const definition of definitions) {
    if (!definition.established) continue;
    for (const version of definition.versions) {
      if (!version.served) continue;
      const versions = groups.get(definition.group) ?? new Map<string, DiscoveredResource[]>();
      groups.set(definition.group, versions);
      const resources = versions.get(version.name) ?? [];
      versions.set(version.name, resources);
      resources.push(discoveredResource(definition, version));
    }
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, versions]) => ({
      group,
      versions: [...versions]
        .sort(([a], [b]) => compareVersions(a, b))
        .map(([version, resources]) => ({ version, resources, inOrder: true, custom: true })),
    }));
}

function discoveredResource(definition: ServedDefinition, version: ServedVersion): DiscoveredResource {
  const { acceptedNames, namespaced, terminating } = definition;
  const { kind, plural, singular = '', shortNames, categories } = acceptedNames;
  const subresources: DiscoveredSubresource[] = [];
  if (version.hasStatus) subresources.push({ name: 'status', kind, verbs: viewVerbs });
  if (version.hasScale) {
    subresources.push({ name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: viewVerbs });
  }
  return {
    resource: plural,
    singular,
    kind,
    namespaced,
    verbs: terminating ? terminatingVerbs : verbs,
    ...(shortNames === undefined ? {} : { shortNames }),
    ...(categories === undefined ? {} : { categories }),
    storageVersionHash: storageVersionHash(definition),
    subresources,
    qualified: true,
  };
}

/** Upstream: apiserver `discovery.StorageVersionHash`. */
function storageVersionHash({ group, versions, kind }: ServedDefinition): string {
  const storage = versions.find((version) => version.storage)?.name ?? '';
  return createHash('sha256').update(`${group}/${storage}/${kind}`).digest().subarray(0, 8).toString('base64');
}
