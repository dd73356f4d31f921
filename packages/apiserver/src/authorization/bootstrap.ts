import type { GroupVersionResource, KubernetesObject, ObjectMeta } from '@binnacle/apimachinery/meta';
import { accountSubject, defaultClusterRoleBindings } from './default-bindings.js';
import { defaultComponentRoles } from './default-component-roles.js';
import { defaultControllerRoles } from './default-controller-roles.js';
import { defaultNamespaceRoleBindings, defaultNamespaceRoles } from './default-namespace-roles.js';
import { defaultUserRoles } from './default-user-roles.js';
import { optionalControllerRoles } from './optional-controller-roles.js';
import { RBAC_GROUP, type Subject } from './role-source.js';
import { parseRule } from './rule-table.js';

const API_VERSION = `${RBAC_GROUP}/v1`;
const CONTROLLER_PREFIX = 'system:controller:';

/** Roles that aggregate all roles with the label `aggregate-to-<name>`. */
const aggregated: ReadonlySet<string> = new Set(['admin', 'edit', 'view']);

/** The aggregated role to which each role contributes. */
const aggregatesTo: ReadonlyMap<string, string> = new Map([
  ['edit', 'admin'],
  ['view', 'edit'],
  ['system:aggregate-to-admin', 'admin'],
  ['system:aggregate-to-edit', 'edit'],
  ['system:aggregate-to-view', 'view'],
]);

/**
 * The roles and bindings of a new cluster, as `rbac.authorization.k8s.io/v1` objects without the fields that a create
 * fills in. `serves` decides on the roles of controllers of resources that are off by default. The order is cluster roles, cluster role bindings, roles, role bindings, each sorted by name. Every call
 * returns new objects.
 * Upstream: kubernetes `plugin/pkg/auth/authorizer/rbac/bootstrappolicy`, version 1.36.
 */
export function bootstrapRbac(serves: (resource: GroupVersionResource) => boolean): KubernetesObject[] {
  const optional = Object.entries(optionalControllerRoles).filter(([, { needs }]) => serves(needs));
  const controllers = [
    ...Object.entries(defaultControllerRoles),
    ...optional.map(([name, { rules }]) => [name, rules] as const),
  ];
  const clusterRoles = [
    ...Object.entries(defaultUserRoles),
    ...Object.entries(defaultComponentRoles),
    ...controllers.map(([name, rules]) => [CONTROLLER_PREFIX + name, rules] as const),
  ].map(([name, rules]) => clusterRole(name, rules));
  const clusterRoleBindings = [
    ...Object.entries(defaultClusterRoleBindings),
    ...controllers.map(([name]) => [CONTROLLER_PREFIX + name, [accountSubject(name)]] as const),
  ].map(([name, subjects]) => binding('ClusterRoleBinding', metadata(name), 'ClusterRole', name, subjects));
  const roles = Object.entries(defaultNamespaceRoles).flatMap(([namespace, table]) =>
    Object.entries(table).map(([name, rules]) => ({
      ...typed('Role', { ...metadata(name), namespace }),
      rules: rules.map(parseRule),
    })),
  );
  const roleBindings = defaultNamespaceRoleBindings.map(({ namespace, name, role, subjects }) =>
    binding('RoleBinding', { ...metadata(name), namespace }, 'Role', role, subjects),
  );
  return [...sorted(clusterRoles), ...sorted(clusterRoleBindings), ...roles, ...roleBindings];
}

function clusterRole(name: string, rules: readonly string[]): KubernetesObject {
  const target = aggregatesTo.get(name);
  const labels = target === undefined ? {} : { [`${RBAC_GROUP}/aggregate-to-${target}`]: 'true' };
  const role = typed('ClusterRole', metadata(name, labels));
  if (!aggregated.has(name)) return { ...role, rules: rules.map(parseRule) };
  const selector = { matchLabels: { [`${RBAC_GROUP}/aggregate-to-${name}`]: 'true' } };
  return { ...role, rules: null, aggregationRule: { clusterRoleSelectors: [selector] } };
}

function binding(
  kind: string,
  meta: ObjectMeta,
  roleKind: string,
  role: string,
  subjects: readonly Subject[],
): KubernetesObject {
  return {
    ...typed(kind, meta),
    ...(subjects.length === 0 ? {} : { subjects: subjects.map((subject) => ({ ...subject })) }),
    roleRef: { apiGroup: RBAC_GROUP, kind: roleKind, name: role },
  };
}

function typed(kind: string, meta: ObjectMeta): KubernetesObject {
  return { apiVersion: API_VERSION, kind, metadata: meta };
}

function metadata(name: string, labels: Readonly<Record<string, string>> = {}): ObjectMeta {
  return {
    name,
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  };
}

function sorted(objects: readonly KubernetesObject[]): KubernetesObject[] {
  return objects.toSorted((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
}
