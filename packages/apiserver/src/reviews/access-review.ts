import type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SubjectAccessReview,
  SubjectAccessReviewSpec,
  SubjectAccessReviewStatus,
} from '@binnacle/api/types/authorization-v1';
import { escapeFieldValue } from '@binnacle/apimachinery/fields';
import { asKind, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { type FieldError, invalid } from '@binnacle/apimachinery/status';
import type { UserInfo } from '../authentication/index.js';
import type { AuthorizationAttributes, Authorizer } from '../authorization/index.js';
import { inSlices } from '../slices/index.js';
import {
  type AccessQuestion,
  validateLocal,
  validateNoMetadata,
  validateQuestion,
  validateSubject,
} from './access-rules.js';
import type { Reviewer } from './review.js';
import { selectorProblems } from './selector-problems.js';

/** Reviews the access of any user. Upstream: kubernetes `pkg/registry/authorization/subjectaccessreview`. */
export function subjectAccessReviewer(authorizer: Authorizer): Reviewer {
  return async (object) => {
    const { spec = {} } = asKind<Partial<SubjectAccessReview>>(object);
    refuse([...validateQuestion(spec), ...validateSubject(spec), ...validateNoMetadata(object.metadata, false)]);
    return answered(object, await decide(authorizer, userOf(spec), spec));
  };
}

/** Reviews the access of any user in one namespace. */
export function localSubjectAccessReviewer(authorizer: Authorizer): Reviewer {
  return async (object) => {
    const { spec = {} } = asKind<Partial<LocalSubjectAccessReview>>(object);
    refuse([
      ...validateQuestion(spec),
      ...validateSubject(spec),
      ...validateNoMetadata(object.metadata, true),
      ...validateLocal(spec, object.metadata.namespace ?? ''),
    ]);
    return answered(object, await decide(authorizer, userOf(spec), spec));
  };
}

/** Reviews the caller's own access. */
export function selfSubjectAccessReviewer(authorizer: Authorizer): Reviewer {
  return async (object, { user }) => {
    const { spec = {} } = asKind<Partial<SelfSubjectAccessReview>>(object);
    refuse([...validateQuestion(spec), ...validateNoMetadata(object.metadata, false)]);
    return answered(object, await decide(authorizer, user, spec));
  };
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: 'authorization.k8s.io', kind: '' }, '', errors);
}

async function decide(
  authorizer: Authorizer,
  user: UserInfo,
  spec: AccessQuestion,
): Promise<SubjectAccessReviewStatus> {
  const decision = await authorizer.authorize(attributesOf(user, spec));
  const { error } = decision;
  const problems = [
    ...(error === undefined ? [] : [error]),
    ...(await inSlices(selectorProblems(spec.resourceAttributes))),
  ];
  return {
    allowed: decision.allowed,
    ...(!decision.allowed && decision.denied === true ? { denied: true } : {}),
    ...(decision.reason === '' ? {} : { reason: decision.reason }),
    ...(problems.length === 0 ? {} : { evaluationError: problems.join('; ') }),
  };
}

function answered(object: KubernetesObject, status: SubjectAccessReviewStatus): KubernetesObject {
  return { ...object, status };
}

function userOf({ user = '', uid = '', groups = [], extra = {} }: SubjectAccessReviewSpec): UserInfo {
  return { name: user, uid, groups, extra };
}

function attributesOf(user: UserInfo, spec: AccessQuestion): AuthorizationAttributes {
  const asked = spec.resourceAttributes;
  const path = spec.nonResourceAttributes;
  return {
    user,
    verb: asked?.verb ?? path?.verb ?? '',
    isResourceRequest: asked !== undefined,
    namespace: asked?.namespace ?? '',
    group: asked?.group ?? '',
    version: asked === undefined ? '' : asked.version || '*',
    resource: asked?.resource ?? '',
    subresource: asked?.subresource ?? '',
    name: asked?.name ?? '',
    path: path?.path ?? '',
    fieldSelector: fieldSelectorOf(asked?.fieldSelector),
    labelSelector: labelSelectorOf(asked?.labelSelector),
  };
}

/** As a client sends it: empty fields may be absent. */
interface Requirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[] | undefined;
}

/** The selector as a request spells it. Only requirements with one value are kept, since authorizers ignore others. */
function fieldSelectorOf({ rawSelector = '', requirements = [] }: FieldSelectorAttributes = {}): string {
  if (requirements.length === 0) return rawSelector;
  const given: readonly Requirement[] = requirements;
  return given
    .flatMap(({ key = '', operator, values = [] }) => {
      const [value, ...more] = values;
      if (value === undefined || more.length > 0) return [];
      const sign = operator === 'In' ? '=' : operator === 'NotIn' ? '!=' : undefined;
      return sign === undefined ? [] : [`${key}${sign}${escapeFieldValue(value)}`];
    })
    .join(',');
}

const LABEL_FORMS: ReadonlyMap<string, (key: string, values: readonly string[]) => string> = new Map([
  ['In', (key: string, values: readonly string[]) => `${key} in (${values.join()})`],
  ['NotIn', (key: string, values: readonly string[]) => `${key} notin (${values.join()})`],
  ['Exists', (key: string) => key],
  ['DoesNotExist', (key: string) => `!${key}`],
]);

/** The same of labels. Requirements with other operators are left out: a question without them asks for more. */
function labelSelectorOf({ rawSelector = '', requirements = [] }: LabelSelectorAttributes = {}): string {
  if (requirements.length === 0) return rawSelector;
  const given: readonly Requirement[] = requirements;
  return given
    .flatMap(({ key = '', operator = '', values = [] }) => LABEL_FORMS.get(operator)?.(key, values) ?? [])
    .join(',');
}
