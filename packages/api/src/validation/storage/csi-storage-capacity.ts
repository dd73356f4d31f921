import { type FieldError, invalidValue } from '@binnacle/apimachinery/status';
import {
  IMMUTABLE_MESSAGE,
  invalidFor,
  nameIsDnsSubdomain,
  semanticEqual,
  validateLabelSelector,
} from '@binnacle/apimachinery/validation';
import type { LabelSelector } from '../../generated/types/meta-v1.js';
import type { CSIStorageCapacity } from '../../generated/types/storage-v1.js';
import { fieldNamed } from '../../table/index.js';
import { finalizerDomains, shownSelector, wholeMetadata } from '../common.js';
import { validateNonNegativeQuantity } from '../quantities.js';

/** Upstream: `ValidateCSIStorageCapacity`. */
export function validateCSIStorageCapacity(object: CSIStorageCapacity): FieldError[] {
  return capacity(object, false);
}

function capacity(object: CSIStorageCapacity, allowInvalidValues: boolean): FieldError[] {
  const className = object.storageClassName ?? '';
  return [
    ...topology(object.nodeTopology, allowInvalidValues),
    ...invalidFor('storageClassName', className, nameIsDnsSubdomain(className, false)),
    ...(object.capacity === undefined ? [] : validateNonNegativeQuantity(object.capacity, 'capacity')),
  ];
}

function topology(selector: LabelSelector | undefined, allowInvalidValues: boolean): FieldError[] {
  return validateLabelSelector(selector as Parameters<typeof validateLabelSelector>[0], 'nodeTopology', {
    allowInvalidValues,
  });
}

const CAPACITY = 'io.k8s.api.storage.v1.CSIStorageCapacity';

export function validateCSIStorageCapacityUpdate(object: CSIStorageCapacity, old: CSIStorageCapacity): FieldError[] {
  const errors = [
    ...wholeMetadata(object, true, nameIsDnsSubdomain),
    ...capacity(object, topology(old.nodeTopology, false).length > 0),
    ...finalizerDomains(object),
  ];
  if (!semanticEqual(object.nodeTopology, old.nodeTopology, fieldNamed(CAPACITY, 'nodeTopology'))) {
    errors.push(invalidValue('nodeTopology', shownSelector(object.nodeTopology), IMMUTABLE_MESSAGE));
  }
  if (object.storageClassName !== old.storageClassName) {
    errors.push(invalidValue('storageClassName', object.storageClassName ?? '', IMMUTABLE_MESSAGE));
  }
  return errors;
}
