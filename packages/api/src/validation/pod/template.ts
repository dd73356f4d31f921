import { type FieldError, forbiddenField } from '@binnacle/apimachinery/status';
import { validateAnnotations, validateLabels } from '@binnacle/apimachinery/validation';
import type { PodSpec, PodTemplateSpec } from '../../generated/types/core-v1.js';
import { list } from '../common.js';
import { validatePodAnnotations } from './annotations.js';
import { validatePodSpec } from './pod-spec.js';
import { validateProfilesAgree } from './security-annotations.js';

/** The spec of a template without one. */
export const noPodSpec: PodSpec = Object.freeze({ containers: [] });

/** Labels and annotations only. Some kinds check them twice, so clients see the errors twice. */
export function validatePodTemplateMetadata(template: PodTemplateSpec | undefined, field: string): FieldError[] {
  const { labels, annotations } = template?.metadata ?? {};
  return [
    ...validateLabels(labels, `${field}.labels`),
    ...validateAnnotations(annotations, `${field}.annotations`),
    ...validatePodAnnotations(annotations, template?.spec ?? noPodSpec, `${field}.annotations`),
  ];
}

/** Upstream: `ValidatePodTemplateSpec`. The paths of labels and annotations lack `metadata`, like upstream. */
export function validatePodTemplate(template: PodTemplateSpec | undefined, field: string): FieldError[] {
  const spec = template?.spec ?? noPodSpec;
  return [
    ...validatePodTemplateMetadata(template, field),
    ...validatePodSpec(spec, `${field}.spec`, { isPod: false }),
    ...validateProfilesAgree(template?.metadata, spec, `${field}.spec`),
    ...(list(spec.ephemeralContainers).length > 0
      ? [forbiddenField(`${field}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
      : []),
  ];
}
