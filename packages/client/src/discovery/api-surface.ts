import type { GroupVersionKind, GroupVersionResource } from '@binnacle/apimachinery/meta';

/** One resource in one version. */
export interface ApiResource {
  readonly resource: GroupVersionResource;
  /** The kind of its objects. */
  readonly kind: GroupVersionKind;
  readonly namespaced: boolean;
  /** `get`, `list`, `watch` and so on. */
  readonly verbs: readonly string[];
  readonly singularName: string;
  readonly shortNames: readonly string[];
  /** Groups of resources, such as `all`. */
  readonly categories: readonly string[];
  readonly subresources: readonly ApiSubresource[];
}

export interface ApiSubresource {
  /** `status`, without the resource's name. */
  readonly name: string;
  readonly kind: GroupVersionKind;
  readonly verbs: readonly string[];
}

export interface ApiVersion {
  readonly version: string;
  readonly resources: readonly ApiResource[];
}

export interface ApiGroup {
  /** `''` is the core group. */
  readonly name: string;
  /** The preferred one first. */
  readonly versions: readonly ApiVersion[];
}

/** All resources that a server serves, as far as discovery shows them. */
export interface ApiSurface {
  /** In the server's order, the core group first. */
  readonly groups: readonly ApiGroup[];
  /** Groups and versions whose discovery failed or is stale. */
  readonly failures: readonly DiscoveryFailure[];
}

export interface DiscoveryFailure {
  readonly group: string;
  readonly version: string;
  readonly error: Error;
}
