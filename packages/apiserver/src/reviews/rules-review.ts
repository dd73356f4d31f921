import { asKind } from '@binnacle/apimachinery/meta';
import type {
  NonResourceRule,
  ResourceRule,
  SelfSubjectRulesReview,
  SubjectRulesReviewStatus,
} from '@binnacle/api/types/authorization-v1';
import { badRequest } from '@binnacle/apimachinery/status';
import { nodeNameOf } from '../authentication/index.js';
import { describeMissing, joinErrors, type PolicyRule, type RoleSource, rulesFor } from '../authorization/index.js';
import type { Reviewer } from './review.js';

/** A node's rights depend on its pods, so no list of rules can express them. */
const NODE_PROBLEM = 'node authorizer does not support user rule resolution';

/**
 * Lists the caller's rights in a namespace.
 * Upstream: kubernetes `pkg/registry/authorization/selfsubjectrulesreview`.
 */
export function selfSubjectRulesReviewer(source: RoleSource): Reviewer {
  return (object, { user }) => {
    const { spec = {} } = asKind<Partial<SelfSubjectRulesReview>>(object);
    const { namespace = '' } = spec;
    if (namespace === '') throw badRequest('no namespace on request');
    const { rules, missing } = rulesFor(source, user, namespace);
    const isNode = nodeNameOf(user) !== undefined;
    const problems = [...(isNode ? [NODE_PROBLEM] : []), ...(missing.length === 0 ? [] : [describeMissing(missing)])];
    const status: SubjectRulesReviewStatus = {
      resourceRules: rules.filter(({ resources = [] }) => resources.length > 0).map(resourceRule),
      nonResourceRules: rules.filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0).map(nonResourceRule),
      incomplete: isNode,
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
