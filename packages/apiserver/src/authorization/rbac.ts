import { quoteGo } from '@binnacle/apimachinery/status';
import type { UserInfo } from '../authentication/index.js';
import type { Authorizer } from './authorizer.js';
import type { PolicyRule, RoleBinding, RoleSource, Subject } from './role-source.js';
import { ruleAllows } from './rule-match.js';

/**
 * Allows what a role allows that is bound to the user, in the request's namespace or in the whole cluster. Never denies:
 * rules only add. Bindings to roles that do not exist allow nothing and are named in the reason.
 * Upstream: kubernetes `plugin/pkg/auth/authorizer/rbac`, `pkg/registry/rbac/validation/rule.go`.
 */
export function rbacAuthorizer(source: RoleSource): Authorizer {
  return {
    authorize: (attributes) => {
      const missing: string[] = [];
      for (const grant of grantsFor(source, attributes.user, attributes.namespace)) {
        if (grant.missing !== undefined) missing.push(grant.missing);
        if (grant.rules.some((rule) => ruleAllows(rule, attributes))) {
          return { allowed: true, reason: `RBAC: allowed by ${describe(grant)}` };
        }
      }
      return { allowed: false, reason: missing.length === 0 ? '' : `RBAC: ${joinErrors(missing)}` };
    },
  };
}

/** Every rule that applies to a user in a namespace (empty = the cluster alone), and the roles that were not found. */
export function rulesFor(
  source: RoleSource,
  user: UserInfo,
  namespace: string,
): { readonly rules: PolicyRule[]; readonly missing: string[] } {
  const rules: PolicyRule[] = [];
  const missing: string[] = [];
  for (const grant of grantsFor(source, user, namespace)) {
    rules.push(...grant.rules);
    if (grant.missing !== undefined) missing.push(grant.missing);
  }
  return { rules, missing };
}

interface Grant {
  readonly binding: RoleBinding;
  readonly subject: Subject;
  /** Empty for a cluster role binding. */
  readonly namespace: string;
  readonly rules: readonly PolicyRule[];
  /** What is wrong with the role that the binding names. */
  readonly missing: string | undefined;
}

function* grantsFor(source: RoleSource, user: UserInfo, namespace: string): Generator<Grant> {
  for (const binding of source.clusterRoleBindings()) {
    const subject = binding.subjects?.find((candidate) => subjectIs(candidate, user, ''));
    if (subject !== undefined) yield resolve(source, binding, subject, '');
  }
  if (namespace === '') return;
  for (const binding of source.roleBindings(namespace)) {
    const subject = binding.subjects?.find((candidate) => subjectIs(candidate, user, namespace));
    if (subject !== undefined) yield resolve(source, binding, subject, namespace);
  }
}

function resolve(source: RoleSource, binding: RoleBinding, subject: Subject, namespace: string): Grant {
  const { kind, name } = binding.roleRef;
  const role =
    kind === 'ClusterRole' ? source.clusterRole(name) : kind === 'Role' ? source.role(namespace, name) : undefined;
  const rules = role?.rules ?? [];
  const missing = role === undefined ? notFoundText(kind, name) : undefined;
  return { binding, subject, namespace, rules, missing };
}

function notFoundText(kind: string, name: string): string {
  if (kind !== 'ClusterRole' && kind !== 'Role') return `unsupported role reference kind: ${quoteGo(kind)}`;
  return `${kind.toLowerCase()}.rbac.authorization.k8s.io ${quoteGo(name)} not found`;
}

/** A service account without a namespace belongs to the binding's; in a cluster role binding it is nobody. */
function subjectIs(subject: Subject, user: UserInfo, bindingNamespace: string): boolean {
  switch (subject.kind) {
    case 'User':
      return subject.name === user.name;
    case 'Group':
      return user.groups.includes(subject.name);
    case 'ServiceAccount': {
      const namespace = subject.namespace || bindingNamespace;
      return namespace !== '' && user.name === `system:serviceaccount:${namespace}:${subject.name}`;
    }
    default:
      return false;
  }
}

function describe({ binding, subject, namespace }: Grant): string {
  const { name = '' } = binding.metadata;
  const { kind, name: roleName } = binding.roleRef;
  const own = namespace === '' ? quoteGo(name) : quoteGo(`${name}/${namespace}`);
  const account = `${subject.name}/${subject.namespace || namespace}`;
  const who = quoteGo(subject.kind === 'ServiceAccount' ? account : subject.name);
  const what = namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding';
  return `${what} ${own} of ${kind} ${quoteGo(roleName)} to ${subject.kind} ${who}`;
}

/** Several faults as one text, as upstream joins them. */
export function joinErrors(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}
