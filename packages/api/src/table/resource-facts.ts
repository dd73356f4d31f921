import type { GroupVersionKind } from '@binnacle/apimachinery/meta';

export type Stability = 'ga' | 'beta' | 'alpha';

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** A column of the kind's table. Its description is the printers' affair. */
export interface ColumnFacts {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  /** 0 and absent are shown always, 1 in wide output. */
  readonly priority?: number;
}

export interface SubresourceFacts {
  /** `status`, not `pods/status`. */
  readonly name: string;
  readonly kind: string;
  /** Where the kind stands, when not in the resource's own group and version. */
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly Verb[];
  /** Turns into a stream or a proxied request; has no object of its own to read or write. */
  readonly connect?: true;
  /** Takes a further path after its name. */
  readonly path?: true;
}

/** A resource in one of its versions. Releases are text: `1.36`. */
export interface ResourceFacts {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Plural: the name in paths. */
  readonly resource: string;
  readonly singular: string;
  /** Name of the kind's struct type. */
  readonly definition: string;
  readonly stability: Stability;
  readonly namespaced: boolean;
  /** Sorted. */
  readonly verbs: readonly Verb[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Absent for what cannot be listed. */
  readonly listKind?: string;
  /** `apiVersion` in which it is stored; absent for what is not stored. */
  readonly storageVersion?: string;
  readonly storageVersionHash?: string;
  /** Below `/registry/`, without slashes around it. */
  readonly etcdPrefix?: string;
  readonly introduced?: string;
  readonly deprecated?: string;
  readonly removed?: string;
  /** `group,version,kind` that takes its place. */
  readonly replacement?: string;
  /** Absent for kinds that upstream prints by name and creation time. */
  readonly columns?: readonly ColumnFacts[];
  /** Sorted by name. */
  readonly subresources?: readonly SubresourceFacts[];
}

export interface VersionFacts {
  readonly version: string;
  readonly servedByDefault: boolean;
  readonly stability: Stability;
  /** Definition names of this group version are this, a dot and the kind. */
  readonly definitionPrefix: string;
  /** Of the APIService; absent where unknown. */
  readonly groupPriorityMinimum?: number;
  readonly versionPriority?: number;
}

export interface GroupFacts {
  readonly group: string;
  readonly preferredVersion: string;
  /** By preference. */
  readonly versions: readonly VersionFacts[];
}

/** The kind that a subresource speaks. */
export function subresourceKind(resource: ResourceFacts, subresource: SubresourceFacts): GroupVersionKind {
  return {
    group: subresource.group ?? resource.group,
    version: subresource.version ?? resource.version,
    kind: subresource.kind,
  };
}
