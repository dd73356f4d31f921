import type { GroupVersionKind, GroupVersionResource } from '@binnacle/apimachinery/meta';

/** One resource in one version. */
export interface ApiResource {
  readonly resource: GroupVersionResource;
  /** What its objects are. */
  readonly kind: GroupVersionKind;
  readonly namespaced: boolean;
  /** `get`, `list`, `watch` and so on. */
  readonly verbs: readonly string[];
  readonly singularName: string;
  readonly shortNames: readonly string[];
  /** `all` and others that stand for many resources. */
  readonly categories: readonly string[];
  readonly subresources: readonly ApiSubresource[];
}

export interface ApiSubresource {
  /** `status`, without the resource before it. */
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

/** Everything that a server serves, as far as it can say. */
export interface ApiSurface {
  /** In the server's order, the core group first. */
  readonly groups: readonly ApiGroup[];
  /** Groups and versions that it has and cannot say anything about now. */
  readonly failures: readonly DiscoveryFailure[];
}

export interface DiscoveryFailure {
  readonly group: string;
  readonly version: string;
  readonly error: Error;
}
