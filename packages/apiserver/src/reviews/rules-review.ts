import { asKind } from '@binnacle/apimachinery/meta';
import type {
  NonResourceRule,
  ResourceRule,
  SelfSubjectRulesReview,
  SubjectRulesReviewStatus,
} from '@binnacle/api/types/authorization-v1';
import { badRequest } from '@binnacle/apimachinery/status';
import { nodeNameOf } from '../authentication/index.js';
import {
  describeMissing,
  joinErrors,
  type PolicyRule,
  type RoleSource,
  rulesFor,
  type UserRules,
} from '../authorization/index.js';
import type { Reviewer } from './review.js';
import { inSlices } from '../slices/index.js';

/** The kinds of authorizers. */
export type AuthorizerType = 'ABAC' | 'AlwaysAllow' | 'AlwaysDeny' | 'Node' | 'RBAC' | 'Webhook';

/** Authorizers whose decisions no list of rules can express. A node's rights depend on its pods. */
const PROBLEMS: ReadonlyMap<AuthorizerType, string> = new Map([
  ['Node', 'node authorizer does not support user rule resolution'],
  ['Webhook', 'webhook authorizer does not support user rule resolution'],
  ['ABAC', 'ABAC authorizer does not support user rule resolution'],
]);
const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/**
 * Lists the caller's rights in a namespace.
 * Upstream: kubernetes `pkg/registry/authorization/selfsubjectrulesreview`.
 */
export function selfSubjectRulesReviewer(
  source: RoleSource,
  authorizers: () => readonly { readonly type: AuthorizerType }[],
): Reviewer {
  return async (object, { user }) => {
    const { spec = {} } = asKind<Partial<SelfSubjectRulesReview>>(object);
    const { namespace = '' } = spec;
    if (namespace === '') throw badRequest('no namespace on request');
    const types = new Set(authorizers().map(({ type }) => type));
    if (nodeNameOf(user) === undefined) types.delete('Node');
    const { rules, missing }: UserRules = types.has('RBAC')
      ? await inSlices(rulesFor(source, user, namespace))
      : { rules: [], missing: [] };
    const all = types.has('AlwaysAllow') ? [...rules, ...EVERYTHING] : rules;
    const unlisted = [...types].flatMap((type) => PROBLEMS.get(type) ?? []);
    const problems = [...unlisted, ...(missing.length === 0 ? [] : [describeMissing(missing)])];
    const status: SubjectRulesReviewStatus = {
      resourceRules: all.filter(({ resources = [] }) => resources.length > 0).map(resourceRule),
      nonResourceRules: all.filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0).map(nonResourceRule),
      incomplete: unlisted.length > 0,
      ...(problems.length === 0 ? {} : { evaluationError: joinErrors(problems) }),
    };
    return { apiVersion: object.apiVersion, kind: object.kind, metadata: {}, spec: {}, status };
  };
}

function resourceRule({ verbs = [], apiGroups = [], resources = [], resourceNames = [] }: PolicyRule): ResourceRule {
  return { verbs: [...verbs], apiGroups: [...apiGroups], resources: [...resources], resourceNames: [...resourceNames] };
}

function nonResourceRule({ verbs = [], nonResourceURLs = [] }: PolicyRule): NonResourceRule {
  return { verbs: [...verbs], nonResourceURLs: [...nonResourceURLs] };
}
