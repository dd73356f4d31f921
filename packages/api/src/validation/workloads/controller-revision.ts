import { type FieldError, required } from '@binnacle/apimachinery/status';
import { nameIsDnsSubdomain, validateImmutable, validateNonNegative } from '@binnacle/apimachinery/validation';
import type { ControllerRevision } from '../../generated/types/apps-v1.js';
import { finalizerDomains, wholeMetadata } from '../common.js';

/** Upstream: `ValidateControllerRevision`. */
export function validateControllerRevision(object: ControllerRevision): FieldError[] {
  return [
    ...(object.data === undefined || object.data === null ? [required('data', 'data is mandatory')] : []),
    ...validateNonNegative(object.revision, 'revision'),
  ];
}

export function validateControllerRevisionUpdate(object: ControllerRevision, old: ControllerRevision): FieldError[] {
  return [
    ...finalizerDomains(object),
    ...wholeMetadata(object, true, nameIsDnsSubdomain),
    ...validateControllerRevision(object),
    ...validateImmutable(object.data, old.data, 'data'),
  ];
}
