import { type FieldError, forbiddenField, invalidValue, tooLong } from '@binnacle/apimachinery/status';
import { semanticEqual, utf8Length, validateImmutable } from '@binnacle/apimachinery/validation';
import type { StorageClass } from '../generated/types/storage-v1.js';
import { finalizerDomains, optionalOneOf, qualifiedName, requireOneOf, requireText } from './common.js';

/** Upstream: `ValidateStorageClass`. */
const PARAMETERS_MAXIMUM = 512;
const PARAMETERS_SIZE_MAXIMUM = 256 * 1024;

export function validateStorageClass(object: StorageClass): FieldError[] {
  const provisioner = object.provisioner ?? '';
  return [
    ...requireText(provisioner, 'provisioner'),
    ...(provisioner === ''
      ? []
      : qualifiedName(provisioner.toLowerCase(), 'provisioner').map((error) => ({
          ...invalidValue('provisioner', provisioner, error.detail),
        }))),
    ...parameters(object.parameters ?? {}),
    ...optionalOneOf(object.reclaimPolicy, ['Delete', 'Retain'], 'reclaimPolicy'),
    ...requireOneOf(object.volumeBindingMode, ['Immediate', 'WaitForFirstConsumer'], 'volumeBindingMode'),
  ];
}

function parameters(given: Readonly<Record<string, string>>): FieldError[] {
  const entries = Object.entries(given);
  if (entries.length > PARAMETERS_MAXIMUM) return [tooLong('parameters', PARAMETERS_MAXIMUM)];
  const errors = entries.some(([key]) => key === '') ? [invalidValue('parameters', '', 'field can not be empty.')] : [];
  const size = entries.reduce((sum, [key, value]) => sum + utf8Length(key) + utf8Length(value), 0);
  if (size > PARAMETERS_SIZE_MAXIMUM) errors.push(tooLong('parameters', PARAMETERS_SIZE_MAXIMUM));
  return errors;
}

export function validateStorageClassUpdate(object: StorageClass, old: StorageClass): FieldError[] {
  const errors = finalizerDomains(object);
  if (!semanticEqual(object.parameters, old.parameters)) {
    errors.push(forbiddenField('parameters', 'updates to parameters are forbidden.'));
  }
  if (object.provisioner !== old.provisioner) {
    errors.push(forbiddenField('provisioner', 'updates to provisioner are forbidden.'));
  }
  if (object.reclaimPolicy !== old.reclaimPolicy) {
    errors.push(forbiddenField('reclaimPolicy', 'updates to reclaimPolicy are forbidden.'));
  }
  return [...errors, ...validateImmutable(object.volumeBindingMode, old.volumeBindingMode, 'volumeBindingMode')];
}
