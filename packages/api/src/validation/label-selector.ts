import type { FieldError } from '@binnacle/apimachinery/status';
import { validateLabelSelectorInSteps } from '@binnacle/apimachinery/validation';
import { finish, type Steps } from '@binnacle/apimachinery/work';
import type { LabelSelector } from '../generated/types/meta-v1.js';

/** Applies the selector rules of apimachinery to the generated type, whose optional fields may be undefined. */
export function labelSelector(selector: LabelSelector | undefined, field: string): FieldError[] {
  return finish(labelSelectorInSteps(selector, field));
}

/** {@link labelSelector} in steps, for selectors that may have many labels or values. */
export function labelSelectorInSteps(selector: LabelSelector | undefined, field: string): Steps<FieldError[]> {
  return validateLabelSelectorInSteps(selector as Parameters<typeof validateLabelSelectorInSteps>[0], field);
}
