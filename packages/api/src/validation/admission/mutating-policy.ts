import { type FieldError, invalidValue, notSupported, required } from '@binnacle/apimachinery/status';
import { nameIsDnsSubdomain, semanticEqual } from '@binnacle/apimachinery/validation';
import type { Steps } from '@binnacle/apimachinery/work';
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicySpec,
  Mutation,
} from '../../generated/types/admissionregistration-v1.js';
import { list, plainMetadata, requireOneOf, ruleByRule, rulesOf } from '../common.js';
import { PolicyScope, validateExpression } from './expressions.js';
import { matchConditionRules } from './match-conditions.js';
import { validateFailurePolicy, validateParameterKind } from './policy-parts.js';
import { validateMatchResources, validateMutatingOperations } from './rules.js';

// Upstream: `ValidateMutatingAdmissionPolicy`. Rules run one by one, because each compiles an expression.

const PATCH_TYPES = ['ApplyConfiguration', 'JSONPatch'];
const REINVOCATION_POLICIES = ['IfNeeded', 'Never'];

export function validateMutatingAdmissionPolicy(object: MutatingAdmissionPolicy): Steps<FieldError[]> {
  return policy(object.spec ?? {}, false);
}

/** Unchanged match conditions are not validated again. */
export function* validateMutatingAdmissionPolicyUpdate(
  object: MutatingAdmissionPolicy,
  old: MutatingAdmissionPolicy,
): Steps<FieldError[]> {
  const same =
    semanticEqual(object.spec?.paramKind, old.spec?.paramKind) &&
    semanticEqual(object.spec?.matchConditions, old.spec?.matchConditions);
  return [...plainMetadata(object, false, nameIsDnsSubdomain), ...(yield* policy(object.spec ?? {}, same))];
}

function policy(spec: MutatingAdmissionPolicySpec, sameConditions: boolean): Steps<FieldError[]> {
  const constraints = spec.matchConstraints;
  const field = 'spec.matchConstraints';
  const scope = new PolicyScope(spec.paramKind, true);
  return ruleByRule([
    () => [
      ...validateFailurePolicy(spec.failurePolicy, 'spec.failurePolicy'),
      ...validateParameterKind(spec.paramKind, 'spec.paramKind'),
      ...(constraints === undefined
        ? [required(field, '')]
        : [
            ...validateMatchResources(constraints, field),
            ...(list(constraints.resourceRules).length === 0 ? [required(`${field}.resourceRules`, '')] : []),
            ...validateMutatingOperations(constraints, field),
          ]),
    ],
    ...(sameConditions ? [] : matchConditionRules(spec.matchConditions, 'spec.matchConditions', scope.params)),
    ...rulesOf(spec.variables, 'spec.variables', (variable, path) => scope.declare(variable, path)),
    ...(list(spec.mutations).length === 0
      ? [() => [required('spec.mutations', 'mutations must contain at least one item')]]
      : rulesOf(spec.mutations, 'spec.mutations', (item, path) => mutation(item, path, scope))),
    () => requireOneOf(spec.reinvocationPolicy, REINVOCATION_POLICIES, 'spec.reinvocationPolicy'),
  ]);
}

function* mutation(item: Partial<Mutation>, path: string, scope: PolicyScope): Steps<FieldError[]> {
  switch (item.patchType ?? '') {
    case '':
      return [required(`${path}.patchType`, '')];
    case 'JSONPatch':
      return yield* oneForm(item, 'jsonPatch', 'applyConfiguration', 'JSONPatch', path, scope);
    case 'ApplyConfiguration':
      return yield* oneForm(item, 'applyConfiguration', 'jsonPatch', 'ApplyConfiguration', path, scope);
    default:
      return [notSupported(`${path}.patchType`, item.patchType, PATCH_TYPES)];
  }
}

type Form = 'jsonPatch' | 'applyConfiguration';

function* oneForm(
  item: Partial<Mutation>,
  own: Form,
  other: Form,
  patchType: string,
  path: string,
  scope: PolicyScope,
): Steps<FieldError[]> {
  const expression = item[own]?.expression?.trim() ?? '';
  const field = `${path}.${own}.expression`;
  return [
    ...(item[own] === undefined
      ? [required(`${path}.${own}`, `must be specified when patchType is ${patchType}`)]
      : expression === ''
        ? [required(field, '')]
        : yield* validateExpression(expression, own, scope.scope({ authorizer: true, patches: true }), field)),
    ...(item[other] === undefined
      ? []
      : [invalidValue(`${path}.${other}`, `{${other}}`, `must not be specified when patchType is ${patchType}`)]),
  ];
}
