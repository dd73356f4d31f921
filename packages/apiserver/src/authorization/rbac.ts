import { joinMessages } from '@binnacle/apimachinery/errors';
import { quoteGo } from '@binnacle/apimachinery/status';
import { type Steps, WorkBudget } from '@binnacle/apimachinery/work';
import type { UserInfo } from '../authentication/index.js';
import { inSlices } from '../slices/index.js';
import type { AuthorizationAttributes, Authorizer, Decision } from './authorizer.js';
import {
  type PolicyRule,
  RBAC_GROUP,
  type Role,
  type RoleBinding,
  type RoleReference,
  type RoleSource,
  type Subject,
} from './role-source.js';
import { ruleAllows } from './rule-match.js';

/**
 * Allows what the user's roles allow, through bindings in the request's namespace or in the cluster. Never denies:
 * rules only add rights. A binding to a missing role allows nothing, and the reason names it.
 * Upstream: kubernetes `plugin/pkg/auth/authorizer/rbac`, `pkg/registry/rbac/validation/rule.go`.
 */
export function rbacAuthorizer(source: RoleSource): Authorizer {
  return { authorize: (attributes) => inSlices(decide(source, attributes)) };
}

/** A step for each role, which is decoded on first use. */
function* decide(source: RoleSource, attributes: AuthorizationAttributes): Steps<Decision> {
  const missing: RoleReference[] = [];
  for (const grant of grantsFor(source, attributes.user, attributes.namespace)) {
    if (grant.role === undefined) missing.push(grant.binding.roleRef);
    if (rulesOf(grant).some((rule) => ruleAllows(rule, attributes))) {
      return { allowed: true, reason: `RBAC: allowed by ${describe(grant)}` };
    }
    yield;
  }
  return { allowed: false, reason: missing.length === 0 ? '' : `RBAC: ${describeMissing(missing)}` };
}

/** The rights of a user, and what refers to roles that do not exist. */
export interface UserRules {
  readonly rules: PolicyRule[];
  readonly missing: RoleReference[];
}

/**
 * Every rule that applies to a user in a namespace (empty = cluster-wide only), and the roles that are missing. Throws
 * the 413 of a spent budget for millions of rules, which bindings of one large role may add up to.
 */
export function* rulesFor(source: RoleSource, user: UserInfo, namespace: string): Steps<UserRules> {
  const budget = new WorkBudget();
  const rules: PolicyRule[] = [];
  const missing: RoleReference[] = [];
  for (const grant of grantsFor(source, user, namespace)) {
    budget.spend(rulesOf(grant).length);
    for (const rule of rulesOf(grant)) rules.push(rule);
    if (grant.role === undefined) missing.push(grant.binding.roleRef);
    yield;
  }
  return { rules, missing };
}

/** The role that a binding in a namespace (empty = cluster role binding) refers to. */
export function resolveRole(source: RoleSource, { kind, name }: RoleReference, namespace: string): Role | undefined {
  if (kind === 'ClusterRole') return source.clusterRole(name);
  return kind === 'Role' ? source.role(namespace, name) : undefined;
}

/** One text that reports missing roles. Errors name `resource` for the roles; by default each role's own resource. */
export function describeMissing(missing: readonly RoleReference[], resource?: string): string {
  return joinMessages(
    missing.map(({ kind, name }) => {
      if (kind !== 'ClusterRole' && kind !== 'Role') return unsupportedRoleKind(kind);
      return `${resource ?? kind.toLowerCase()}.${RBAC_GROUP} ${quoteGo(name)} not found`;
    }),
  );
}

export function unsupportedRoleKind(kind: string): string {
  return `unsupported role reference kind: ${quoteGo(kind)}`;
}

interface Grant {
  readonly binding: RoleBinding;
  readonly subject: Subject;
  /** Empty for a cluster role binding. */
  readonly namespace: string;
  /** Undefined when the role does not exist. */
  readonly role: Role | undefined;
}

function* grantsFor(source: RoleSource, user: UserInfo, namespace: string): Generator<Grant> {
  for (const binding of source.clusterRoleBindings(user)) {
    const subject = binding.subjects?.find((candidate) => subjectIs(candidate, user, ''));
    if (subject !== undefined) yield grantBy(source, binding, subject, '');
  }
  if (namespace === '') return;
  for (const binding of source.roleBindings(namespace, user)) {
    const subject = binding.subjects?.find((candidate) => subjectIs(candidate, user, namespace));
    if (subject !== undefined) yield grantBy(source, binding, subject, namespace);
  }
}

function grantBy(source: RoleSource, binding: RoleBinding, subject: Subject, namespace: string): Grant {
  return { binding, subject, namespace, role: resolveRole(source, binding.roleRef, namespace) };
}

function rulesOf({ role }: Grant): readonly PolicyRule[] {
  return role?.rules ?? [];
}

/** A service account without a namespace is in that of the binding; in a cluster role binding it matches no user. */
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
