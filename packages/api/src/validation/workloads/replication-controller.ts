import { type FieldError, required } from '@binnacle/apimachinery/status';
import { validateNonNegative } from '@binnacle/apimachinery/validation';
import type { ReplicationController } from '../../generated/types/core-v1.js';
import { finalizerDomains, templateMismatch } from '../common.js';
import { validatePodTemplate } from '../pod/template.js';
import { validateRestartsAlways } from './template.js';

/** Upstream: `ValidateReplicationControllerSpec`. The selector is a plain map. */
export function validateReplicationController(object: ReplicationController): FieldError[] {
  const spec = object.spec ?? {};
  const selector = spec.selector ?? {};
  const labels = spec.template?.metadata?.labels;
  const template = 'spec.template';
  return [
    ...validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...(Object.keys(selector).length === 0 ? [required('spec.selector', '')] : []),
    ...validateNonNegative(spec.replicas, 'spec.replicas'),
    ...(spec.template === undefined
      ? [required(template, '')]
      : [
          ...(matches(selector, labels) ? [] : [templateMismatch(labels, template)]),
          ...validatePodTemplate(spec.template, template),
          ...validateRestartsAlways(spec.template, 'ReplicationController'),
        ]),
  ];
}

/** Upstream does not validate the keys and values of the selector. */
function matches(selector: Readonly<Record<string, string>>, labels: Readonly<Record<string, string>> = {}): boolean {
  return Object.entries(selector).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
}

export function validateReplicationControllerUpdate(object: ReplicationController): FieldError[] {
  return [...finalizerDomains(object), ...validateReplicationController(object)];
}
