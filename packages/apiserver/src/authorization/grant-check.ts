import type { GroupResource, KubernetesObject } from '@binnacle/apimachinery/meta';
import { badRequest, forbidden, notFound, quoteGo, unclassified } from '@binnacle/apimachinery/status';
import { isOnlyGarbageCollection } from '@binnacle/apimachinery/validation';
import type { Steps } from '@binnacle/apimachinery/work';
import type { UserInfo } from '../authentication/index.js';
import { checkPathSegment } from '../names/index.js';
import { inSlices } from '../slices/index.js';
import type { Authorizer } from './authorizer.js';
import { describeMissing, resolveRole, rulesFor, unsupportedRoleKind, type UserRules } from './rbac.js';
import type { PolicyRule, Role, RoleBinding, RoleReference, RoleSource } from './role-source.js';
import { describeRules, isTooManyRules, quoteList, uncoveredRules } from './uncovered-rules.js';
import { isPrivileged } from './union.js';

/** A write of a role or a binding, after mutating admission. */
export interface GrantAttempt {
  readonly user: UserInfo;
  readonly resource: GroupResource;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  /** The name in the URL; empty for a POST to the collection. */
  readonly name: string;
  readonly object: Readonly<KubernetesObject>;
  /** Undefined on a create. */
  readonly old: Readonly<KubernetesObject> | undefined;
}

export interface GrantCheckOptions {
  readonly authorizer: Authorizer;
  readonly roles: RoleSource;
  /** Resolves when `roles` reflects every write that was stored before the call. */
  readonly upToDate: () => Promise<void>;
}

/** Rejects with 403 when the write grants a right that its user does not hold. */
export type GrantCheck = (attempt: GrantAttempt) => Promise<void>;

/** The permission to grant rights that the user does not hold, as a question to the authorizer. */
interface Permission extends GroupResource {
  readonly verb: 'escalate' | 'bind';
  readonly name: string;
}

/** The rights that an object of the kind grants, and the permission that lifts the check. */
interface GrantingKind {
  readonly permission: (attempt: GrantAttempt) => Permission | undefined;
  /** Throws when a binding refers to a missing role. */
  readonly rules: (attempt: GrantAttempt, roles: RoleSource) => readonly PolicyRule[];
}

type ClusterRole = Role & { readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly unknown[] | null } };

/** An aggregation rule can collect any right, so a user who sets one must hold all of them. */
const FULL_AUTHORITY: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

const role: GrantingKind = {
  permission: ({ resource, name }) => ({ verb: 'escalate', ...resource, name }),
  rules: ({ object }) => (object as Role).rules ?? [],
};

const binding: GrantingKind = {
  permission: (attempt) => bindPermission(roleRefOf(attempt)),
  rules: (attempt, roles) => referencedRole(attempt, roles).rules ?? [],
};

const grantingKinds: ReadonlyMap<string, GrantingKind> = new Map([
  ['roles', role],
  ['clusterroles', role],
  ['rolebindings', binding],
  ['clusterrolebindings', binding],
]);

/** The resources of `rbac.authorization.k8s.io` whose writes a {@link GrantCheck} covers. */
export const grantingResources: readonly string[] = [...grantingKinds.keys()];

/**
 * Checks that a role or a binding grants no right that its writer lacks. A writer who may `escalate` the role, or
 * `bind` the referenced one, passes.
 * Upstream: kubernetes `pkg/registry/rbac/*` policybased, `pkg/registry/rbac/validation`.
 */
export function grantCheck({ authorizer, roles, upToDate }: GrantCheckOptions): GrantCheck {
  const isPermitted = async ({ user, namespace }: GrantAttempt, permission: Permission | undefined) => {
    if (permission === undefined) return false;
    const question = { user, namespace, isResourceRequest: true, version: '*', subresource: '', path: '' };
    return (await authorizer.authorize({ ...question, ...permission })).allowed;
  };
  return async (attempt) => {
    const { user, resource, namespace, object, old } = attempt;
    const kind = grantingKinds.get(resource.resource);
    if (kind === undefined || isPrivileged(user) || grantsNothingNew(object, old)) return;
    if (await isPermitted(attempt, kind.permission(attempt))) return;
    await upToDate();
    const granted = kind.rules(attempt, roles);
    const held = await inSlices(rulesFor(roles, user, namespace));
    const why = await inSlices(refusal(attempt, granted, held));
    if (why !== undefined) throw forbidden(resource, object.metadata.name ?? '', why);
  };
}

/** Upstream compares the aggregation rules as pointers, so an empty rule differs from none. */
function grantsNothingNew(object: Readonly<KubernetesObject>, old: Readonly<KubernetesObject> | undefined): boolean {
  return isOnlyGarbageCollection(object, old) && hasAggregationRule(object) === hasAggregationRule(old);
}

function hasAggregationRule(object: Readonly<KubernetesObject> | undefined): boolean {
  return ((object ?? {}) as Partial<ClusterRole>).aggregationRule !== undefined;
}

function* refusal(
  { user, resource, object, old }: GrantAttempt,
  granted: readonly PolicyRule[],
  { rules: held, missing }: UserRules,
): Steps<string | undefined> {
  if (yield* isTooManyRules(held, granted))
    return 'the rules name too many combinations to be compared with those held';
  const uncovered = yield* uncoveredRules(held, granted);
  if (uncovered.length > 0) {
    const who = `user ${quoteGo(user.name)} (groups=${quoteList(user.groups)})`;
    const what = `is attempting to grant RBAC permissions not currently held:\n${yield* describeRules(uncovered)}`;
    return `${who} ${what}${unresolvedText(missing, resource)}`;
  }
  if (!aggregates(object) && !aggregates(old)) return undefined;
  if ((yield* uncoveredRules(held, FULL_AUTHORITY)).length === 0) return undefined;
  return 'must have cluster-admin privileges to use the aggregationRule';
}

function aggregates(object: Readonly<KubernetesObject> | undefined): boolean {
  const { aggregationRule } = (object ?? {}) as Partial<ClusterRole>;
  return (aggregationRule?.clusterRoleSelectors ?? []).length > 0;
}

/** Upstream resolves roles on behalf of the request, so its errors name the request's resource. */
function unresolvedText(missing: readonly RoleReference[], { resource }: GroupResource): string {
  return missing.length === 0 ? '' : `; resolution errors: [${describeMissing(missing, resource)}]`;
}

function roleRefOf({ object }: GrantAttempt): RoleReference {
  const { kind = '', name = '', apiGroup = '' } = (object as Partial<RoleBinding>).roleRef ?? {};
  return { kind, name, apiGroup };
}

function bindPermission({ kind, name, apiGroup = '' }: RoleReference): Permission | undefined {
  if (kind !== 'ClusterRole' && kind !== 'Role') return undefined;
  return { verb: 'bind', group: apiGroup, resource: kind === 'Role' ? 'roles' : 'clusterroles', name };
}

/** Runs before validation, so the reference may hold any value. */
function referencedRole(attempt: GrantAttempt, roles: RoleSource): Role {
  const { resource, namespace } = attempt;
  const reference = roleRefOf(attempt);
  const { kind, name } = reference;
  if (kind !== 'ClusterRole' && kind !== 'Role') throw unclassified(unsupportedRoleKind(kind));
  if (kind === 'Role' && namespace === '') throw badRequest('Namespace parameter required.');
  if (name === '') throw badRequest('Name parameter required.');
  checkPathSegment(name);
  const found = resolveRole(roles, reference, namespace);
  if (found === undefined) throw notFound(resource, name);
  return found;
}
