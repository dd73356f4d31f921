import { APP_ARMOR_ANNOTATION, MIRROR_ANNOTATION } from '../../pods/index.js';
import { type FieldError, forbiddenField, invalidValue } from '@binnacle/apimachinery/status';
import type { PodSpec } from '../../generated/types/core-v1.js';
import { validateSecurityAnnotations } from './security-annotations.js';

type Annotations = Readonly<Record<string, string>> | undefined;

const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
const INT32 = 2 ** 31;

/** Annotations with an effect on pods. Upstream: `ValidatePodSpecificAnnotations`. */
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
  errors.push(...validateSecurityAnnotations(annotations ?? {}, spec, field));
  return errors;
}

/** Annotations that affect how a pod runs are immutable. Upstream: `ValidatePodSpecificAnnotationUpdates`. */
export function validatePodAnnotationsUpdate(
  annotations: Annotations,
  old: Annotations,
  spec: PodSpec,
  field: string,
): FieldError[] {
  const keys = new Set([...Object.keys(old ?? {}), ...Object.keys(annotations ?? {})]);
  const changed = [...keys].flatMap((key) => {
    const what = key === MIRROR_ANNOTATION ? 'mirror pod annotation' : 'AppArmor annotations';
    if (key !== MIRROR_ANNOTATION && !key.startsWith(APP_ARMOR_ANNOTATION)) return [];
    const before = own(old, key);
    if (own(annotations, key) === before) return [];
    return [forbiddenField(`${field}[${key}]`, `may not ${before === undefined ? 'add' : 'remove or update'} ${what}`)];
  });
  return [...changed, ...validatePodAnnotations(annotations, spec, field)];
}

function isDeletionCost(text: string): boolean {
  if (!/^(?:0|-?[1-9][0-9]*)$/.test(text)) return false;
  const cost = Number(text);
  return cost >= -INT32 && cost < INT32;
}

function own(annotations: Annotations, key: string): string | undefined {
  return annotations !== undefined && Object.hasOwn(annotations, key) ? annotations[key] : undefined;
}
