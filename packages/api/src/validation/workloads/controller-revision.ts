import { deepEqual, isObject, type JsonValue } from '@binnacle/apimachinery/json';
import { type FieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import { IMMUTABLE_MESSAGE, nameIsDnsSubdomain, validateNonNegative } from '@binnacle/apimachinery/validation';
import type { ControllerRevision } from '../../generated/types/apps-v1.js';
import { finalizerDomains, wholeMetadata } from '../common.js';

/** Upstream: `ValidateControllerRevisionCreate`. */
export function validateControllerRevision(object: ControllerRevision): FieldError[] {
  return [...validateNonNegative(object.revision, 'revision'), ...dataProblems(object.data)];
}

/** The data is opaque: null and absent members differ. */
function changedData(data: JsonValue, old: JsonValue): FieldError[] {
  return deepEqual(data, old) ? [] : [invalidValue('data', data, IMMUTABLE_MESSAGE)];
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
    ...changedData(object.data ?? null, old.data ?? null),
  ];
}
