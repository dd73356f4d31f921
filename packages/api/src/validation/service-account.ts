import type { FieldError } from '@binnacle/apimachinery/status';
import { nameIsDnsSubdomain } from '@binnacle/apimachinery/validation';
import type { ServiceAccount } from '../generated/types/core-v1.js';
import { metadataUpdate, wholeMetadata } from './common.js';

/** Upstream: `ValidateServiceAccountUpdate`. */
export function validateServiceAccountUpdate(object: ServiceAccount, old: ServiceAccount): FieldError[] {
  return [...metadataUpdate(object, old), ...wholeMetadata(object, true, nameIsDnsSubdomain)];
}
