import { type FieldError, forbiddenField } from '@binnacle/apimachinery/status';
import { nameIsDnsSubdomain, semanticEqual } from '@binnacle/apimachinery/validation';
import type { VolumeAttributesClass } from '../../generated/types/storage-v1.js';
import { finalizerDomains, wholeMetadata } from '../common.js';
import { validateProvisioner, validateProvisionerParameters } from './storage-class.js';

/** Upstream: `ValidateVolumeAttributesClass`. */
export function validateVolumeAttributesClass(object: VolumeAttributesClass): FieldError[] {
  return [
    ...validateProvisioner(object.driverName, 'driverName'),
    ...validateProvisionerParameters(object.parameters, 'parameters', false),
  ];
}

export function validateVolumeAttributesClassUpdate(
  object: VolumeAttributesClass,
  old: VolumeAttributesClass,
): FieldError[] {
  const errors = finalizerDomains(object);
  if (object.driverName !== old.driverName) {
    errors.push(forbiddenField('driverName', 'updates to driverName are forbidden.'));
  }
  if (!semanticEqual(object.parameters, old.parameters)) {
    errors.push(forbiddenField('parameters', 'updates to parameters are forbidden.'));
  }
  return [...errors, ...wholeMetadata(object, false, nameIsDnsSubdomain), ...validateVolumeAttributesClass(object)];
}
