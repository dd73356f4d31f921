import { type FieldError, invalidValue } from '@binnacle/apimachinery/status';
import { fullNameIsDnsSubdomain, semanticEqual } from '@binnacle/apimachinery/validation';
import type { Steps } from '@binnacle/apimachinery/work';
import type { DeviceClass, DeviceClassSpec } from '../../generated/types/resource-v1.js';
import { finalizerDomains, list, wholeMetadata } from '../common.js';
import { isExtendedResource } from '../quantities.js';
import { CONFIGURATIONS_MAXIMUM } from './claim.js';
import { validateItems } from './collections.js';
import { compileSelectors, validateDeviceConfiguration, validateDeviceSelectors } from './configuration.js';

/** Upstream: `ValidateDeviceClass`. */
export function* validateDeviceClass(object: DeviceClass): Steps<FieldError[]> {
  return yield* specErrors(object.spec ?? {}, undefined);
}

function* specErrors(spec: DeviceClassSpec, old: DeviceClassSpec | undefined): Steps<FieldError[]> {
  const name = spec.extendedResourceName;
  const sameConfiguration = old !== undefined && semanticEqual(spec.config, old.config);
  const sameSelectors = old !== undefined && semanticEqual(spec.selectors, old.selectors);
  const compiled = yield* compileSelectors(sameSelectors ? [] : list(spec.selectors));
  return [
    ...validateDeviceSelectors(spec.selectors, 'spec.selectors', compiled),
    ...validateItems(spec.config, CONFIGURATIONS_MAXIMUM, 'spec.config', (configuration, path) =>
      validateDeviceConfiguration(configuration, path, sameConfiguration),
    ),
    ...(name === undefined || isExtendedResource(name)
      ? []
      : [invalidValue('spec.extendedResourceName', name, 'must be a valid extended resource name')]),
  ];
}

export function* validateDeviceClassUpdate(object: DeviceClass, old: DeviceClass): Steps<FieldError[]> {
  return [
    ...wholeMetadata(object, false, fullNameIsDnsSubdomain),
    ...finalizerDomains(object),
    ...(yield* specErrors(object.spec ?? {}, old.spec ?? {})),
  ];
}
