import type { GroupVersionKind } from '@binnacle/apimachinery/meta';

export type Stability = 'ga' | 'beta' | 'alpha';

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** A column of the kind's table. The printers hold its description. */
export interface ColumnFacts {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  /** Absent or 0: always shown; 1: only in wide output. */
  readonly priority?: number;
}

export interface SubresourceFacts {
  /** `status`, not `pods/status`. */
  readonly name: string;
  readonly kind: string;
  /** The kind's group, if it differs from the resource's group and version. */
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly Verb[];
  /** Upgrades to a stream or proxies the request; has no object to read or write. */
  readonly connect?: true;
  /** Accepts a further path after its name. */
  readonly path?: true;
}

/** A resource in one of its versions. Releases are strings: `1.36`. */
export interface ResourceFacts {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The plural name in paths. */
  readonly resource: string;
  readonly singular: string;
  /** The definition name of the kind's struct type. */
  readonly definition: string;
  readonly stability: Stability;
  readonly namespaced: boolean;
  /** Sorted. */
  readonly verbs: readonly Verb[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Absent if the resource cannot be listed. */
  readonly listKind?: string;
  /** The `apiVersion` in which it is stored; absent if it is not stored. */
  readonly storageVersion?: string;
  readonly storageVersionHash?: string;
  /** Under `/registry/`, without leading or trailing slash. */
  readonly etcdPrefix?: string;
  readonly introduced?: string;
  readonly deprecated?: string;
  readonly removed?: string;
  /** The `group,version,kind` that replaces it. */
  readonly replacement?: string;
  /** Absent if upstream prints the kind by name and creation time. */
  readonly columns?: readonly ColumnFacts[];
  /** Sorted by name. */
  readonly subresources?: readonly SubresourceFacts[];
}

export interface VersionFacts {
  readonly version: string;
  readonly servedByDefault: boolean;
  readonly stability: Stability;
  /** The prefix of this group version's definition names, before a dot and the kind. */
  readonly definitionPrefix: string;
  /** From the APIService; absent if unknown. */
  readonly groupPriorityMinimum?: number;
  readonly versionPriority?: number;
}

export interface GroupFacts {
  readonly group: string;
  readonly preferredVersion: string;
  /** Most preferred first. */
  readonly versions: readonly VersionFacts[];
}

/** The kind that a subresource reads and writes. */
export function subresourceKind(resource: ResourceFacts, subresource: SubresourceFacts): GroupVersionKind {
  return {
    group: subresource.group ?? resource.group,
    version: subresource.version ?? resource.version,
    kind: subresource.kind,
  };
}
