import type { GroupVersion, GroupVersionKind, GroupVersionResource } from '@binnacle/apimachinery/meta';
import type { GroupFacts, ResourceFacts, VersionFacts } from './resource-facts.js';
import { loadResources, once, type OtherVersion } from './rows.js';

/**
 * Every resource in every version that the release can serve, beta and alpha included. Groups are in discovery order.
 */
export function resources(): readonly ResourceFacts[] {
  return loadResources().resources;
}

/** Every API group in discovery order, the core group first. */
export function groups(): readonly GroupFacts[] {
  return loadResources().groups;
}

const keyOf = (group: string, version: string, name: string): string => `${group}/${version}/${name}`;

const byResource = once(
  () => new Map(resources().map((facts) => [keyOf(facts.group, facts.version, facts.resource), facts])),
);

const byKind = once(() => {
  const index = new Map<string, ResourceFacts>();
  for (const facts of resources()) {
    const key = keyOf(facts.group, facts.version, facts.kind);
    if (!index.has(key)) index.set(key, facts);
  }
  return index;
});

const versions = once(() => {
  const index = new Map<string, VersionFacts>();
  for (const group of groups()) {
    for (const each of group.versions) index.set(`${group.group}/${each.version}`, each);
  }
  return index;
});

const otherVersions = once(
  () => new Map(loadResources().otherVersions.map((each) => [`${each.group}/${each.version}`, each])),
);

/** A version that has kinds but no resource in any configuration. */
export function otherVersion(groupVersion: GroupVersion): OtherVersion | undefined {
  return otherVersions().get(`${groupVersion.group}/${groupVersion.version}`);
}

/** Whether the release has kinds in the group, served or not. */
export function isKnownGroup(group: string): boolean {
  return groupFacts(group) !== undefined || loadResources().otherVersions.some((each) => each.group === group);
}

function groupFacts(group: string): GroupFacts | undefined {
  return groups().find((each) => each.group === group);
}

export function versionFacts(groupVersion: GroupVersion): VersionFacts | undefined {
  return versions().get(`${groupVersion.group}/${groupVersion.version}`);
}

/** Finds a resource by its plural name. */
export function resourceFacts(resource: GroupVersionResource): ResourceFacts | undefined {
  return byResource().get(keyOf(resource.group, resource.version, resource.resource));
}

/** Finds the resource whose objects have this kind. Excludes list kinds and kinds that only a subresource uses. */
export function resourceOfKind(kind: GroupVersionKind): ResourceFacts | undefined {
  return byKind().get(keyOf(kind.group, kind.version, kind.kind));
}
