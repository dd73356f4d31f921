import type { DiscoveredGroup, DiscoveredVersion, DiscoverySource } from '../discovery/index.js';
import { builtInPriorities } from './built-in-priorities.js';
import { groupsInOrder, type Prioritized } from './group-order.js';
import { customService } from './own-services.js';
import { OWN_GROUP, type RegisteredService } from './registered-service.js';
import type { RemoteResources } from './remote-discovery.js';

/** The group of the APIServices themselves comes first, whatever their priorities. */
const FIRST: Prioritized = {
  group: OWN_GROUP,
  version: 'v1',
  groupPriority: Number.MAX_SAFE_INTEGER,
  versionPriority: 1,
};

/**
 * The groups of the plain list: those of APIServices. Groups of custom resources are listed even before their
 * APIServices are stored.
 */
export function listedGroups(
  services: Iterable<RegisteredService>,
  custom: readonly DiscoveredGroup[],
): DiscoveredGroup[] {
  const versions = new Map<string, Prioritized>([[keyOf(FIRST), FIRST]]);
  for (const service of services) if (service.group !== OWN_GROUP) versions.set(keyOf(service), service);
  for (const { group, versions: served } of custom) {
    for (const { version } of served) {
      const service = customService(group, version);
      if (!versions.has(keyOf(service))) versions.set(keyOf(service), service);
    }
  }
  return groupsInOrder(versions.values(), 'service').map(({ group, versions: members }) => ({
    group,
    versions: members.map(({ version }) => ({ version, resources: [] })),
  }));
}

/** The groups of the aggregated document: those that this server serves itself, and those of extension API servers. */
export function aggregatedGroups(
  local: readonly DiscoveredGroup[],
  services: Iterable<RegisteredService>,
  resourcesOf: (service: RegisteredService) => RemoteResources,
): DiscoveredGroup[] {
  const versions = new Map<string, Prioritized & { readonly shown: DiscoveredVersion }>();
  for (const { group, versions: served } of local) {
    for (const shown of served) {
      const ranked = { ...rankOf(group, shown), shown };
      versions.set(keyOf(ranked), ranked);
    }
  }
  for (const service of services) {
    if (service.backend === undefined) continue;
    const { resources, freshness } = resourcesOf(service);
    const { version } = service;
    versions.set(keyOf(service), { ...service, shown: { version, resources: [], described: resources, freshness } });
  }
  return groupsInOrder(versions.values(), 'group').map(({ group, versions: members }) => ({
    group,
    versions: members.map(({ shown }) => shown),
  }));
}

function rankOf(group: string, { version, custom }: DiscoveredVersion): Prioritized {
  if (group === OWN_GROUP) return { ...FIRST, version };
  if (custom === true) return customService(group, version);
  return { group, version, ...(builtInPriorities(group, version) ?? { groupPriority: 1000, versionPriority: 15 }) };
}

function keyOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return `${group}/${version}`;
}

/** A source whose groups depend on several revisions. */
export function sourceOf(revision: () => number, groups: () => readonly DiscoveredGroup[]): DiscoverySource {
  return {
    get revision() {
      return revision();
    },
    groups,
  };
}
