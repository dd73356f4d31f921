import type {
  ParamKind,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@binnacle/api/types/admissionregistration-v1';
import {
  asKind,
  formatGroupResource,
  type GroupResource,
  type GroupVersionKind,
  type KubernetesObject,
  parseGroupVersion,
} from '@binnacle/apimachinery/meta';
import { forbiddenField, invalid } from '@binnacle/apimachinery/status';
import { semanticEqual } from '@binnacle/apimachinery/validation';
import type { Awaitable } from '@binnacle/apimachinery/work';
import type { UserInfo } from '../../authentication/index.js';
import type { AuthorizationAttributes, Authorizer } from '../../authorization/index.js';
import {
  MUTATING_ADMISSION_POLICIES,
  MUTATING_ADMISSION_POLICY_BINDINGS,
  type ResourceOf,
  type Stores,
  VALIDATING_ADMISSION_POLICIES,
  VALIDATING_ADMISSION_POLICY_BINDINGS,
  type WriteGuard,
} from '../../registry/index.js';
import type { FindKind } from '../sources/index.js';

const GROUP = 'admissionregistration.k8s.io';

export interface ParameterGuardsOptions {
  readonly authorizer: Authorizer;
  readonly findKind: FindKind;
  readonly stores: Stores;
}

/** A policy of either kind. */
interface Policy {
  readonly spec?: { readonly paramKind?: ParamKind | undefined } | undefined;
}

/** A question to the authorizer, and the refusal of a no. */
interface Question {
  readonly field: string;
  readonly kind: ParamKind | undefined;
  readonly verb: string;
  readonly namespace: string;
  readonly name: string;
  readonly refusal: (user: string) => string;
}

/**
 * The guards of policies and bindings, by `resource.group`. A policy shows its parameters to its writer, by messages,
 * so the writer must be allowed to read them. Upstream: `pkg/registry/admissionregistration/*` authz.go.
 */
export function parameterGuards(options: ParameterGuardsOptions): ReadonlyMap<string, WriteGuard> {
  const ask = asking(options);
  const guardsOf = (policies: ResourceOf<Policy>, bindings: GroupResource): [string, WriteGuard][] => {
    const reader = options.stores.reader(policies);
    const ofBinding: QuestionOf = (object, old) => bindingQuestion(object, old, (name) => reader.find('', name));
    return [
      [formatGroupResource(policies), guard(ask, policyQuestion)],
      [formatGroupResource(bindings), guard(ask, ofBinding)],
    ];
  };
  return new Map([
    ...guardsOf(VALIDATING_ADMISSION_POLICIES, VALIDATING_ADMISSION_POLICY_BINDINGS),
    ...guardsOf(MUTATING_ADMISSION_POLICIES, MUTATING_ADMISSION_POLICY_BINDINGS),
  ]);
}

type Ask = (user: UserInfo, question: Question) => Promise<boolean>;
type QuestionOf = (
  object: Readonly<KubernetesObject>,
  old: Readonly<KubernetesObject> | undefined,
) => Question | undefined | Promise<Question | undefined>;

function guard(ask: Ask, questionOf: QuestionOf): WriteGuard {
  return {
    async check({ scope: { requester, userName, subresource }, object, old }) {
      // The server's own writes at its start have no requester.
      if (requester === undefined || subresource === 'status') return;
      const user = { ...requester, name: userName };
      const question = await questionOf(object, old);
      if (question === undefined || (await ask(user, question))) return;
      const error = forbiddenField(question.field, question.refusal(shown(user)));
      throw invalid({ group: GROUP, kind: object.kind }, object.metadata.name ?? '', [error]);
    },
  };
}

function policyQuestion(object: Readonly<KubernetesObject>, old: Readonly<KubernetesObject> | undefined) {
  const kind = asKind<ValidatingAdmissionPolicy>(object).spec?.paramKind;
  const before = old && asKind<ValidatingAdmissionPolicy>(old).spec?.paramKind;
  if (kind === undefined || semanticEqual(kind, before)) return undefined;
  const shownKind = `kind=${kind.kind ?? ''}, apiVersion=${kind.apiVersion ?? ''}`;
  return {
    field: 'spec.paramKind',
    kind,
    verb: 'get',
    namespace: '*',
    name: '*',
    refusal: (user: string) =>
      `user ${user} must have "get" permission on all objects of the referenced paramKind (${shownKind})`,
  };
}

async function bindingQuestion(
  object: Readonly<KubernetesObject>,
  old: Readonly<KubernetesObject> | undefined,
  find: (name: string) => Awaitable<Policy | undefined>,
): Promise<Question | undefined> {
  // Validation runs after guards.
  const { spec } = asKind<Partial<ValidatingAdmissionPolicyBinding>>(object);
  const before = old && asKind<Partial<ValidatingAdmissionPolicyBinding>>(old).spec;
  const { paramRef, policyName = '' } = spec ?? {};
  if (paramRef === undefined) return undefined;
  if (semanticEqual(paramRef, before?.paramRef) && policyName === before?.policyName) return undefined;
  const policy = await find(policyName);
  const verb = (paramRef.name ?? '') === '' ? 'list' : 'get';
  return {
    field: 'spec.paramRef',
    kind: policy?.spec?.paramKind,
    verb,
    namespace: paramRef.namespace ?? '',
    name: paramRef.name ?? '',
    refusal: (user) =>
      policy === undefined
        ? `unable to get policy ${policyName} to determine minimum required permissions and user ${user} does not have "${verb}" permission for all groups, versions and resources`
        : `user ${user} does not have "${verb}" permission on the object referenced by paramRef`,
  };
}

function asking({ authorizer, findKind }: ParameterGuardsOptions): Ask {
  return async (user, { kind, verb, namespace, name }) => {
    const question: AuthorizationAttributes = {
      user,
      verb,
      namespace,
      name,
      isResourceRequest: true,
      subresource: '',
      path: '',
      ...resourceOf(kind, findKind),
    };
    return (await authorizer.authorize(question)).allowed;
  };
}

/** Everything, as long as the kind is unknown. */
function resourceOf(kind: ParamKind | undefined, findKind: FindKind) {
  const groupVersion = kind && parseGroupVersion(kind.apiVersion ?? '');
  if (kind === undefined || groupVersion === undefined) return { group: '*', version: '*', resource: '*' };
  const { group, version } = groupVersion;
  const found: GroupVersionKind = { group, version, kind: kind.kind ?? '' };
  return { group, version, resource: findKind(found)?.resource.resource ?? '*' };
}

/** As Go prints a user. */
function shown({ name, uid, groups, extra }: UserInfo): string {
  const entries = Object.keys(extra)
    .toSorted()
    .map((key) => `${key}:[${(extra[key] ?? []).join(' ')}]`);
  return `&{${name} ${uid} [${groups.join(' ')}] map[${entries.join(' ')}]}`;
}
