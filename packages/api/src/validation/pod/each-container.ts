import type { FieldError } from '@binnacle/apimachinery/status';
import type { Container, EphemeralContainer, PodSpec } from '../../generated/types/core-v1.js';
import { each } from '../common.js';

/** Applies the rule to every container of a pod, in upstream's order. */
export function eachContainer(
  spec: PodSpec,
  field: string,
  rule: (container: Container | EphemeralContainer, path: string) => FieldError[],
): FieldError[] {
  return [
    ...each(spec.initContainers, `${field}.initContainers`, rule),
    ...each(spec.containers, `${field}.containers`, rule),
    ...each(spec.ephemeralContainers, `${field}.ephemeralContainers`, rule),
  ];
}
