import { type FieldError, invalidValue } from '@binnacle/apimachinery/status';
import { nameIsDnsSubdomain, semanticEqual } from '@binnacle/apimachinery/validation';
import type { DeviceClass, DeviceClassSpec } from '../../generated/types/resource-v1.js';
import { finalizerDomains, wholeMetadata } from '../common.js';
import { isExtendedResource } from '../quantities.js';
import { CONFIGURATIONS_MAXIMUM } from './claim.js';
import { validateItems } from './collections.js';
import { validateDeviceConfiguration, validateDeviceSelectors } from './configuration.js';

/** Upstream: `ValidateDeviceClass`. */
export function validateDeviceClass(object: DeviceClass): FieldError[] {
  return specErrors(object.spec ?? {}, undefined);
}

function specErrors(spec: DeviceClassSpec, old: DeviceClassSpec | undefined): FieldError[] {
  const name = spec.extendedResourceName;
  const stored = old !== undefined && semanticEqual(spec.config, old.config);
  return [
    ...validateDeviceSelectors(spec.selectors, 'spec.selectors'),
    ...validateItems(spec.config, CONFIGURATIONS_MAXIMUM, 'spec.config', (configuration, path) =>
      validateDeviceConfiguration(configuration, path, stored),
    ),
    ...(name === undefined || isExtendedResource(name)
      ? []
      : [invalidValue('spec.extendedResourceName', name, 'must be a valid extended resource name')]),
  ];
}

export function validateDeviceClassUpdate(object: DeviceClass, old: DeviceClass): FieldError[] {
  return [
    ...wholeMetadata(object, false, nameIsDnsSubdomain),
    ...finalizerDomains(object),
    ...specErrors(object.spec ?? {}, old.spec ?? {}),
  ];
}
