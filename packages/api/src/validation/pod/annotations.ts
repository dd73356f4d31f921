import { MIRROR_ANNOTATION } from '../../pods/index.js';
import { type FieldError, forbiddenField, invalidValue } from '@binnacle/apimachinery/status';
import type { PodSpec } from '../../generated/types/core-v1.js';

type Annotations = Readonly<Record<string, string>> | undefined;

const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
const INT32 = 2 ** 31;

/** Annotations that mean something on pods. Upstream: `ValidatePodSpecificAnnotations`. */
export function validatePodAnnotations(annotations: Annotations, spec: PodSpec, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const mirror = own(annotations, MIRROR_ANNOTATION);
  if (mirror !== undefined && !spec.nodeName) {
    const detail = 'must set spec.nodeName if mirror pod annotation is set';
    errors.push(invalidValue(`${field}[${MIRROR_ANNOTATION}]`, mirror, detail));
  }
  const cost = own(annotations, DELETION_COST);
  if (cost !== undefined && !isDeletionCost(cost)) {
    errors.push(invalidValue(`${field}[${DELETION_COST}]`, cost, 'must be a 32bit integer'));
  }
  return errors;
}

/** The mirror annotation never changes. */
export function validatePodAnnotationsUpdate(
  annotations: Annotations,
  old: Annotations,
  spec: PodSpec,
  field: string,
): FieldError[] {
  const value = own(annotations, MIRROR_ANNOTATION);
  const before = own(old, MIRROR_ANNOTATION);
  const errors = validatePodAnnotations(annotations, spec, field);
  if (value === before) return errors;
  const detail =
    before === undefined ? 'may not add mirror pod annotation' : 'may not remove or update mirror pod annotation';
  return [forbiddenField(`${field}[${MIRROR_ANNOTATION}]`, detail), ...errors];
}

function isDeletionCost(text: string): boolean {
  if (!/^(?:0|-?[1-9][0-9]*)$/.test(text)) return false;
  const cost = Number(text);
  return cost >= -INT32 && cost < INT32;
}

function own(annotations: Annotations, key: string): string | undefined {
  return annotations !== undefined && Object.hasOwn(annotations, key) ? annotations[key] : undefined;
}
