import type { GroupVersion, GroupVersionResource } from '@binnacle/apimachinery/meta';
import type { ResourceFacts, VersionFacts } from './resource-facts.js';
import { groups, resources } from './resources.js';

export interface ServedGroup {
  readonly group: string;
  /** The first of {@link versions}. */
  readonly preferredVersion: string;
  /** Versions with a served resource, most preferred first. */
  readonly versions: readonly VersionFacts[];
}

/** The resources that a server is configured to serve. Immutable. */
export interface ServedSet {
  /** Groups with a served version, in discovery order. */
  readonly groups: readonly ServedGroup[];
  /** In the table's order. */
  readonly resources: readonly ResourceFacts[];
  serves(resource: GroupVersionResource): boolean;
  servesVersion(groupVersion: GroupVersion): boolean;
  group(name: string): ServedGroup | undefined;
}

/** Builds the set of all resources that pass the predicate. */
export function servedSet(isServed: (resource: ResourceFacts) => boolean): ServedSet {
  const served = resources().filter(isServed);
  const names = new Set(served.map((each) => `${each.group}/${each.version}/${each.resource}`));
  const versions = new Set(served.map((each) => `${each.group}/${each.version}`));
  const servedGroups: ServedGroup[] = [];
  for (const { group, versions: all } of groups()) {
    const kept = all.filter((each) => versions.has(`${group}/${each.version}`));
    const first = kept[0];
    if (first !== undefined) servedGroups.push({ group, preferredVersion: first.version, versions: kept });
  }
  const byName = new Map(servedGroups.map((each) => [each.group, each]));
  return {
    groups: servedGroups,
    resources: served,
    serves: ({ group, version, resource }) => names.has(`${group}/${version}/${resource}`),
    servesVersion: ({ group, version }) => versions.has(`${group}/${version}`),
    group: (name) => byName.get(name),
  };
}
