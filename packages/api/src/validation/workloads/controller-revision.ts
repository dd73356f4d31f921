import { isObject, type JsonValue } from '@binnacle/apimachinery/json';
import { type FieldError, required } from '@binnacle/apimachinery/status';
import { nameIsDnsSubdomain, validateImmutable, validateNonNegative } from '@binnacle/apimachinery/validation';
import type { ControllerRevision } from '../../generated/types/apps-v1.js';
import { finalizerDomains, wholeMetadata } from '../common.js';

/** Upstream: `ValidateControllerRevisionCreate`. */
export function validateControllerRevision(object: ControllerRevision): FieldError[] {
  return [...validateNonNegative(object.revision, 'revision'), ...dataProblems(object.data)];
}

function dataProblems(data: JsonValue | undefined): FieldError[] {
  if (data === undefined || data === null) return [required('data', 'data is mandatory')];
  return isObject(data) ? [] : [required('data', 'data must be a valid JSON object')];
}

export function validateControllerRevisionUpdate(object: ControllerRevision, old: ControllerRevision): FieldError[] {
  return [
    ...finalizerDomains(object),
    ...wholeMetadata(object, true, nameIsDnsSubdomain),
    ...validateNonNegative(object.revision, 'revision'),
    ...validateImmutable(object.data, old.data, 'data'),
  ];
}
