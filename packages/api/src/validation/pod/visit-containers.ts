import type { FieldError } from '@binnacle/apimachinery/status';
import type { Container, EphemeralContainer, PodSpec } from '../../generated/types/core-v1.js';
import { each } from '../common.js';

/** The rule on every container of a pod, in the order in which upstream visits them all. */
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
