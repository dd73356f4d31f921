import type { UserInfo } from '../authentication/index.js';

export const RBAC_GROUP = 'rbac.authorization.k8s.io';

/**
 * The fields of `rbac.authorization.k8s.io/v1` that authorization reads. Objects are not defaulted: a missing list is
 * an empty one.
 */
export interface PolicyRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface Role {
  /** Null until the aggregation controller fills it. */
  readonly rules?: readonly PolicyRule[] | null;
}

export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly apiGroup?: string;
  readonly namespace?: string;
}

export interface RoleReference {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
}

export interface RoleBinding {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
  readonly subjects?: readonly Subject[] | null;
  readonly roleRef: RoleReference;
}

/**
 * A cache of the stored roles and bindings. Reads are synchronous, and callers must not modify the results. Bindings for a
 * user are all that name the user or one of its groups; there may be others among them.
 */
export interface RoleSource {
  clusterRole(name: string): Role | undefined;
  role(namespace: string, name: string): Role | undefined;
  clusterRoleBindings(user: UserInfo): Iterable<RoleBinding>;
  roleBindings(namespace: string, user: UserInfo): Iterable<RoleBinding>;
}
