import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '@binnacle/apimachinery/status';
import type { PodTemplateSpec } from '../../generated/types/core-v1.js';
import type { LabelSelector } from '../../generated/types/meta-v1.js';
import { isEmptySelector, selects, shownSelector, templateMismatch } from '../common.js';
import { labelSelector } from '../label-selector.js';
import { validatePodTemplate } from '../pod/template.js';

/** Requires a valid selector that is not empty. */
export function validateRequiredSelector(selector: LabelSelector | undefined, emptyMessage: string): FieldError[] {
  if (selector === undefined) return [required('spec.selector', '')];
  const errors = labelSelector(selector, 'spec.selector');
  if (isEmptySelector(selector)) errors.push(invalidValue('spec.selector', shownSelector(selector), emptyMessage));
  return errors;
}

/** Validates the template of a Deployment or a ReplicaSet. Upstream: `ValidatePodTemplateSpecForReplicaSet`. */
export function validateSelectedTemplate(
  selector: LabelSelector | undefined,
  template: PodTemplateSpec | undefined,
): FieldError[] {
  const labels = template?.metadata?.labels;
  const selected = selects(selector, labels);
  if (selected === undefined) return [invalidValue('spec.selector', shownSelector(selector), 'invalid label selector')];
  return [
    ...(selected ? [] : [templateMismatch(labels, 'spec.template')]),
    ...validatePodTemplate(template, 'spec.template'),
    ...validateRestartsAlways(template, 'ReplicaSet'),
  ];
}

/** Pods that a controller keeps running must restart always and have no deadline. */
export function validateRestartsAlways(template: PodTemplateSpec | undefined, kind: string): FieldError[] {
  const field = 'spec.template.spec';
  const policy = template?.spec?.restartPolicy ?? '';
  const errors = policy === 'Always' ? [] : [notSupported(`${field}.restartPolicy`, policy, ['Always'])];
  if (template?.spec?.activeDeadlineSeconds !== undefined) {
    errors.push(forbiddenField(`${field}.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`));
  }
  return errors;
}
