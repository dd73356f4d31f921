import type { FieldError } from '@binnacle/apimachinery/status';
import { validateNonNegative } from '@binnacle/apimachinery/validation';
import type { ReplicaSet } from '../../generated/types/apps-v1.js';
import { finalizerDomains } from '../common.js';
import { validateSelectorUnchanged } from './deployment.js';
import { validateRequiredSelector, validateSelectedTemplate } from './template.js';

/** Upstream: `ValidateReplicaSetSpec`. */
export function validateReplicaSet(object: ReplicaSet): FieldError[] {
  const spec = object.spec;
  return [
    ...validateNonNegative(spec?.replicas, 'spec.replicas'),
    ...validateNonNegative(spec?.minReadySeconds, 'spec.minReadySeconds'),
    ...validateRequiredSelector(spec?.selector, 'empty selector is invalid for deployment'),
    ...validateSelectedTemplate(spec?.selector, spec?.template),
  ];
}

export function validateReplicaSetUpdate(object: ReplicaSet, old: ReplicaSet): FieldError[] {
  return [
    ...finalizerDomains(object),
    ...validateReplicaSet(object),
    ...validateSelectorUnchanged(object.spec?.selector, old.spec?.selector),
  ];
}
