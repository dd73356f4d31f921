import { type FieldError, invalidValue, notSupported, required } from '@binnacle/apimachinery/status';
import { nameIsDnsSubdomain, semanticEqual } from '@binnacle/apimachinery/validation';
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicySpec,
  Mutation,
} from '../../generated/types/admissionregistration-v1.js';
import { each, list, plainMetadata, requireOneOf } from '../common.js';
import { validateMatchConditions } from './match-conditions.js';
import { validateFailurePolicy, validateParameterKind, validateVariable } from './policy-parts.js';
import { validateMatchResources, validateMutatingOperations } from './rules.js';

/** Upstream: `ValidateMutatingAdmissionPolicy`. Admission compiles the expressions, this rule does not. */
const PATCH_TYPES = ['ApplyConfiguration', 'JSONPatch'];
const REINVOCATION_POLICIES = ['IfNeeded', 'Never'];

export function validateMutatingAdmissionPolicy(object: MutatingAdmissionPolicy): FieldError[] {
  return policy(object.spec ?? {}, false);
}

/** Unchanged match conditions are not validated again. */
export function validateMutatingAdmissionPolicyUpdate(
  object: MutatingAdmissionPolicy,
  old: MutatingAdmissionPolicy,
): FieldError[] {
  const same =
    semanticEqual(object.spec?.paramKind, old.spec?.paramKind) &&
    semanticEqual(object.spec?.matchConditions, old.spec?.matchConditions);
  return [...plainMetadata(object, false, nameIsDnsSubdomain), ...policy(object.spec ?? {}, same)];
}

function policy(spec: MutatingAdmissionPolicySpec, sameConditions: boolean): FieldError[] {
  const constraints = spec.matchConstraints;
  const field = 'spec.matchConstraints';
  return [
    ...validateFailurePolicy(spec.failurePolicy, 'spec.failurePolicy'),
    ...validateParameterKind(spec.paramKind, 'spec.paramKind'),
    ...(constraints === undefined
      ? [required(field, '')]
      : [
          ...validateMatchResources(constraints, field),
          ...(list(constraints.resourceRules).length === 0 ? [required(`${field}.resourceRules`, '')] : []),
          ...validateMutatingOperations(constraints, field),
        ]),
    ...(sameConditions ? [] : validateMatchConditions(spec.matchConditions, 'spec.matchConditions')),
    ...each(spec.variables, 'spec.variables', validateVariable),
    ...(list(spec.mutations).length === 0
      ? [required('spec.mutations', 'mutations must contain at least one item')]
      : each(spec.mutations, 'spec.mutations', mutation)),
    ...requireOneOf(spec.reinvocationPolicy, REINVOCATION_POLICIES, 'spec.reinvocationPolicy'),
  ];
}

function mutation(item: Partial<Mutation>, path: string): FieldError[] {
  switch (item.patchType ?? '') {
    case '':
      return [required(`${path}.patchType`, '')];
    case 'JSONPatch':
      return oneForm(item, 'jsonPatch', 'applyConfiguration', 'JSONPatch', path);
    case 'ApplyConfiguration':
      return oneForm(item, 'applyConfiguration', 'jsonPatch', 'ApplyConfiguration', path);
    default:
      return [notSupported(`${path}.patchType`, item.patchType, PATCH_TYPES)];
  }
}

type Form = 'jsonPatch' | 'applyConfiguration';

function oneForm(item: Partial<Mutation>, own: Form, other: Form, patchType: string, path: string): FieldError[] {
  const given = item[own];
  return [
    ...(given === undefined
      ? [required(`${path}.${own}`, `must be specified when patchType is ${patchType}`)]
      : (given.expression ?? '').trim() === ''
        ? [required(`${path}.${own}.expression`, '')]
        : []),
    ...(item[other] === undefined
      ? []
      : [invalidValue(`${path}.${other}`, `{${other}}`, `must not be specified when patchType is ${patchType}`)]),
  ];
}
