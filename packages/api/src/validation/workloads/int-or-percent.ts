import { type FieldError, invalidValue } from '@binnacle/apimachinery/status';
import { invalidFor, validateNonNegative, validatePercent } from '@binnacle/apimachinery/validation';

/** A count or a percentage: `3` or `25%`. Upstream: `pkg/apis/apps/validation`. */
export type IntOrPercent = number | string;

export function validateIntOrPercent(value: IntOrPercent | undefined, field: string): FieldError[] {
  if (typeof value === 'string') return invalidFor(field, value, validatePercent(value));
  return validateNonNegative(value ?? 0, field);
}

export function validateAtMostAll(value: IntOrPercent | undefined, field: string): FieldError[] {
  const share = percentOf(value);
  return share !== undefined && share > 100 ? [invalidValue(field, value, 'must not be greater than 100%')] : [];
}

/** Whether the count or percentage is zero. A malformed string counts as zero, like upstream. */
export function isZero(value: IntOrPercent | undefined): boolean {
  return typeof value === 'string' ? (percentOf(value) ?? 0) === 0 : (value ?? 0) === 0;
}

function percentOf(value: IntOrPercent | undefined): number | undefined {
  if (typeof value !== 'string' || validatePercent(value).length > 0) return undefined;
  return Number(value.slice(0, -1));
}
