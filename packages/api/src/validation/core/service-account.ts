import type { FieldError } from '@binnacle/apimachinery/status';
import { nameIsDnsSubdomain } from '@binnacle/apimachinery/validation';
import type { ServiceAccount } from '../../generated/types/core-v1.js';
import { finalizerDomains, wholeMetadata } from '../common.js';

/** Upstream: `ValidateServiceAccountUpdate`. */
export function validateServiceAccountUpdate(object: ServiceAccount): FieldError[] {
  return [...finalizerDomains(object), ...wholeMetadata(object, true, nameIsDnsSubdomain)];
}
