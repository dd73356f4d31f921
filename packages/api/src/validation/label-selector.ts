import type { FieldError } from '@binnacle/apimachinery/status';
import { validateLabelSelector } from '@binnacle/apimachinery/validation';
import type { LabelSelector } from '../generated/types/meta-v1.js';

/** Applies the selector rules of apimachinery to the generated type, whose optional fields may be undefined. */
export function labelSelector(selector: LabelSelector | undefined, field: string): FieldError[] {
  return validateLabelSelector(selector as Parameters<typeof validateLabelSelector>[0], field);
}
