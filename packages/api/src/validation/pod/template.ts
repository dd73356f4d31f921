import { type FieldError, forbiddenField } from '@binnacle/apimachinery/status';
import { validateAnnotations, validateLabels } from '@binnacle/apimachinery/validation';
import type { PodSpec, PodTemplateSpec } from '../../generated/types/core-v1.js';
import { list } from '../common.js';
import { validatePodAnnotations } from './annotations.js';
import { validatePodSpec } from './pod-spec.js';

/** The spec of a template that left it out. */
export const noPodSpec: PodSpec = Object.freeze({ containers: [] });

/** Upstream: `ValidatePodTemplateSpec`. The paths of labels and annotations lack `metadata`, upstream and here. */
export function validatePodTemplate(template: PodTemplateSpec | undefined, field: string): FieldError[] {
  const spec = template?.spec ?? noPodSpec;
  const annotations = template?.metadata?.annotations;
  return [
    ...validateLabels(template?.metadata?.labels, `${field}.labels`),
    ...validateAnnotations(annotations, `${field}.annotations`),
    ...validatePodAnnotations(annotations, spec, `${field}.annotations`),
    ...validatePodSpec(spec, `${field}.spec`, { isPod: false }),
    ...(list(spec.ephemeralContainers).length > 0
      ? [forbiddenField(`${field}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
      : []),
  ];
}
