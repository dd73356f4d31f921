import { duplicate, type FieldError, invalidValue, notSupported, required } from '@binnacle/apimachinery/status';
import { nameIsDnsSubdomain } from '@binnacle/apimachinery/validation';
import type {
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicyBinding,
} from '../../generated/types/admissionregistration-v1.js';
import { each, list, plainMetadata } from '../common.js';
import { validateParameterReference, validatePolicyName } from './policy-parts.js';
import { validateMatchResources, validateMutatingOperations } from './rules.js';

// Upstream: `ValidateValidatingAdmissionPolicyBinding`, `ValidateMutatingAdmissionPolicyBinding`.

const ACTIONS = ['Audit', 'Deny', 'Warn'];

export function validateValidatingAdmissionPolicyBinding(object: ValidatingAdmissionPolicyBinding): FieldError[] {
  return [...common(object), ...actions(list(object.spec?.validationActions), 'spec.validationActions')];
}

export function validateValidatingAdmissionPolicyBindingUpdate(object: ValidatingAdmissionPolicyBinding): FieldError[] {
  return [...plainMetadata(object, false, nameIsDnsSubdomain), ...validateValidatingAdmissionPolicyBinding(object)];
}

export function validateMutatingAdmissionPolicyBinding(object: MutatingAdmissionPolicyBinding): FieldError[] {
  return [...common(object), ...validateMutatingOperations(object.spec?.matchResources, 'spec.matchResources')];
}

export function validateMutatingAdmissionPolicyBindingUpdate(object: MutatingAdmissionPolicyBinding): FieldError[] {
  return [...plainMetadata(object, false, nameIsDnsSubdomain), ...validateMutatingAdmissionPolicyBinding(object)];
}

function common(object: MutatingAdmissionPolicyBinding | ValidatingAdmissionPolicyBinding): FieldError[] {
  const { policyName, paramRef, matchResources } = object.spec ?? {};
  return [
    ...validatePolicyName(policyName, 'spec.policyName'),
    ...validateParameterReference(paramRef, 'spec.paramRef'),
    ...validateMatchResources(matchResources, 'spec.matchResources'),
  ];
}

function actions(given: readonly string[], field: string): FieldError[] {
  const seen = new Set<string>();
  const errors = each(given, field, (action, path) => {
    const problems = ACTIONS.includes(action) ? [] : [notSupported(path, action, ACTIONS)];
    if (seen.has(action)) problems.push(duplicate(path, action));
    seen.add(action);
    return problems;
  });
  if (seen.has('Deny') && seen.has('Warn')) {
    const detail =
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
    errors.push(invalidValue(field, given, detail));
  }
  return given.length === 0 ? [required(field, 'at least one validation action is required')] : errors;
}
