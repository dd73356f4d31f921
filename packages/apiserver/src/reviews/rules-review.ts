import { joinMessages } from '@binnacle/apimachinery/errors';
import { asKind } from '@binnacle/apimachinery/meta';
import type { SelfSubjectRulesReview, SubjectRulesReviewStatus } from '@binnacle/api/types/authorization-v1';
import { badRequest } from '@binnacle/apimachinery/status';
import { Pace, type Steps } from '@binnacle/apimachinery/work';
import { nodeNameOf } from '../authentication/index.js';
import { describeMissing, type PolicyRule, type RoleSource, rulesFor, type UserRules } from '../authorization/index.js';
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
/** The parts of a usual rule, which the answer shows. */
const UNITS_PER_RULE = 10;
/** The memory that the answer takes for a usual rule until it is sent. */
const BYTES_PER_RULE = 500;
/** Looking at this many takes a fraction of a millisecond. */
const RULES_PER_STEP = 1000;
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
  return async (object, context) => {
    const { user, budget } = context;
    const { spec = {} } = asKind<Partial<SelfSubjectRulesReview>>(object);
    const { namespace = '' } = spec;
    if (namespace === '') throw badRequest('no namespace on request');
    const types = new Set(authorizers().map(({ type }) => type));
    if (nodeNameOf(user) === undefined) types.delete('Node');
    const { rules, missing }: UserRules = types.has('RBAC')
      ? await inSlices(rulesFor(source, user, namespace))
      : { rules: [], missing: [] };
    if (types.has('AlwaysAllow')) rules.push(...EVERYTHING);
    budget.spend(rules.length * UNITS_PER_RULE);
    context.reserveMemory(rules.length * BYTES_PER_RULE);
    const unlisted = [...types].flatMap((type) => PROBLEMS.get(type) ?? []);
    const problems = [...unlisted, ...(missing.length === 0 ? [] : [describeMissing(missing)])];
    const status: RulesStatus = {
      ...(await inSlices(divided(rules))),
      incomplete: unlisted.length > 0,
      ...(problems.length === 0 ? {} : { evaluationError: joinMessages(problems) }),
    };
    return { apiVersion: object.apiVersion, kind: object.kind, metadata: {}, spec: {}, status };
  };
}

/** A status whose rules are those of the roles. Their encoding leaves out the fields that they have beyond the type's. */
type RulesStatus = Pick<SubjectRulesReviewStatus, 'incomplete' | 'evaluationError'> & DividedRules;

interface DividedRules {
  readonly resourceRules: readonly PolicyRule[];
  readonly nonResourceRules: readonly PolicyRule[];
}

/** A rule may be of both kinds. */
function* divided(rules: readonly PolicyRule[]): Steps<DividedRules> {
  const resourceRules: PolicyRule[] = [];
  const nonResourceRules: PolicyRule[] = [];
  const pace = new Pace(RULES_PER_STEP);
  for (const rule of rules) {
    if (hasSome(rule.resources)) resourceRules.push(rule);
    if (hasSome(rule.nonResourceURLs)) nonResourceRules.push(rule);
    if (pace.endsStep()) yield;
  }
  return { resourceRules, nonResourceRules };
}

const hasSome = (list: readonly string[] = []): boolean => list.length > 0;
