import type { JsonObject } from '@binnacle/apimachinery/json';
import type { ServedSet } from '@binnacle/api/table';

export interface DiscoveredSubresource {
  /** `status`, not `pods/status`. */
  readonly name: string;
  readonly kind: string;
  /** The group of the kind, if it is not the resource's own group and version. */
  readonly group?: string;
  readonly version?: string;
  /** Sorted. */
  readonly verbs: readonly string[];
}

/** A resource as discovery shows it. The rows of the resource table have this shape. */
export interface DiscoveredResource {
  /** Plural. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Sorted. */
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
  readonly subresources?: readonly DiscoveredSubresource[];
  /** Aggregated discovery always includes the kind's group and version. Set for custom resources. */
  readonly qualified?: true;
}

export interface DiscoveredVersion {
  readonly version: string;
  readonly resources: readonly DiscoveredResource[];
  /** Keeps resources and subresources in the given order instead of sorting by name. */
  readonly inOrder?: boolean;
  /** Defined by CustomResourceDefinitions: served in the media types that are always on. */
  readonly custom?: true;
  /** The resources in the form of the aggregated document, as another server describes them; instead of `resources`. */
  readonly described?: readonly JsonObject[];
  /** `Stale`: the server of this version did not answer. Default: `Current`. */
  readonly freshness?: 'Current' | 'Stale';
}

export interface DiscoveredGroup {
  /** The core group is `''`. */
  readonly group: string;
  /** In order of preference; never empty. */
  readonly versions: readonly DiscoveredVersion[];
}

/** The groups to discover. {@link groups} returns the same value until {@link revision} changes. */
export interface DiscoverySource {
  /** Increases with every change. */
  readonly revision: number;
  /** In discovery order. */
  groups(): readonly DiscoveredGroup[];
}

/** The built-in resources that a server serves. */
export function servedSource(served: ServedSet): DiscoverySource {
  const groups = served.groups.map(({ group, versions }) => ({
    group,
    versions: versions.map(({ version }) => ({
      version,
      resources: served.resources.filter((each) => each.group === group && each.version === version),
    })),
  }));
  return { revision: 1, groups: () => groups };
}

/**
 * Merges several sources. Groups keep the order of the sources. A group of several sources has the versions of all,
 * those of the earlier source first.
 */
export function combineSources(sources: readonly DiscoverySource[]): DiscoverySource {
  return {
    get revision() {
      return sources.reduce((sum, source) => sum + source.revision, 0);
    },
    groups: () => {
      const versions = new Map<string, Map<string, DiscoveredVersion>>();
      for (const group of sources.flatMap((source) => source.groups())) {
        const known = versions.get(group.group) ?? new Map<string, DiscoveredVersion>();
        versions.set(group.group, known);
        for (const version of group.versions) if (!known.has(version.version)) known.set(version.version, version);
      }
      return [...versions].map(([group, known]) => ({ group, versions: [...known.values()] }));
    },
  };
}
