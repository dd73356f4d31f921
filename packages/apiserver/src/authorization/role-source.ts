export const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** The parts of `rbac.authorization.k8s.io/v1` that decide; objects are read as they are, an empty list as none. */
export interface PolicyRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface Role {
  /** Null until aggregation fills it. */
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

/** Where roles and bindings come from: a cache of what is stored. Answers at once; what it lists is not changed. */
export interface RoleSource {
  clusterRole(name: string): Role | undefined;
  role(namespace: string, name: string): Role | undefined;
  clusterRoleBindings(): Iterable<RoleBinding>;
  roleBindings(namespace: string): Iterable<RoleBinding>;
}
