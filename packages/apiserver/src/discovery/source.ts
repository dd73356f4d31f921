import type { ServedSet } from '@binnacle/api/table';

export interface DiscoveredSubresource {
  /** `status`, not `pods/status`. */
  readonly name: string;
  readonly kind: string;
  /** Where the kind stands, when not in the resource's own group and version. */
  readonly group?: string;
  readonly version?: string;
  /** Sorted. */
  readonly verbs: readonly string[];
}

/** A resource as discovery shows it; the table's rows are of this shape. */
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
  /** Aggregated discovery names the kind with its group and version: custom resources. */
  readonly qualified?: true;
}

export interface DiscoveredVersion {
  readonly version: string;
  readonly resources: readonly DiscoveredResource[];
  /** The resources and their subresources are shown in the order given, and not by name. */
  readonly inOrder?: boolean;
  /** Made from definitions of custom resources: shown in the media types that are always on. */
  readonly custom?: true;
  /** `Stale`: the server behind this version did not answer. Default: `Current`. */
  readonly freshness?: 'Current' | 'Stale';
}

export interface DiscoveredGroup {
  /** The core group is `''`. */
  readonly group: string;
  /** By preference; never empty. */
  readonly versions: readonly DiscoveredVersion[];
}

/** What there is to discover. {@link groups} answers the same as long as {@link revision} does. */
export interface DiscoverySource {
  /** Rises with every change. */
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
 * Several sources as one. Groups stand in the order of the sources; a group that several have shows the versions of all, those
 * of the earlier source first.
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
