import { type FieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import { validateImmutable } from '@binnacle/apimachinery/validation';
import type {
  CounterSet,
  Device,
  ResourcePool,
  ResourceSlice,
  ResourceSliceSpec,
} from '../../generated/types/resource-v1.js';
import { dnsLabel, finalizerDomains, list } from '../common.js';
import { validateDriverName } from '../volumes/volume-drivers.js';
import { validateSet } from './collections.js';
import { validateCounters, validateDevice } from './device.js';
import { validateNodeChoice, validatePoolName } from './names.js';

// Upstream: `ResourceSliceMaxDevices`.

const DEVICES_MAXIMUM = 128;
/** For devices with taints or shared counters, which are more expensive to validate. */
const ADVANCED_DEVICES_MAXIMUM = 64;
const COUNTER_SETS_MAXIMUM = 8;
const CHOICES = '`nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection`';

/** Upstream: `ValidateResourceSlice`. */
export function validateResourceSlice(object: ResourceSlice): FieldError[] {
  return specErrors(object.spec ?? {}, undefined);
}

export function validateResourceSliceUpdate(object: ResourceSlice, old: ResourceSlice): FieldError[] {
  return [...finalizerDomains(object), ...specErrors(object.spec ?? {}, old.spec ?? {})];
}

type Spec = Partial<ResourceSliceSpec>;

function specErrors(spec: Spec, old: Spec | undefined): FieldError[] {
  const devices = list(spec.devices);
  const advanced = devices.some((device) => list(device.taints).length + list(device.consumesCounters).length > 0);
  const before = new Map(list(old?.devices).map((device) => [device.name, device]));
  const nameOf = (item: Device | CounterSet): string => item.name ?? '';
  return [
    ...validateDriverName(spec.driver, 'spec.driver'),
    ...pool(spec.pool ?? {}, 'spec.pool'),
    ...(old === undefined
      ? []
      : [
          ...validateImmutable(spec.pool?.name, old.pool?.name, 'spec.pool.name'),
          ...validateImmutable(spec.driver, old.driver, 'spec.driver'),
          ...validateImmutable(spec.nodeName, old.nodeName, 'spec.nodeName'),
        ]),
    ...place(spec, 'spec'),
    ...(spec.sharedCounters !== undefined && spec.devices !== undefined
      ? [invalidValue('spec', '', 'only one of `sharedCounters` or `devices` is allowed')]
      : []),
    ...validateSet(
      devices,
      advanced ? ADVANCED_DEVICES_MAXIMUM : DEVICES_MAXIMUM,
      'spec.devices',
      (device, path) => validateDevice(device, before.get(device.name), path, spec.perDeviceNodeSelection === true),
      nameOf,
    ),
    ...validateSet(spec.sharedCounters, COUNTER_SETS_MAXIMUM, 'spec.sharedCounters', counterSet, nameOf),
  ];
}

function pool(given: Partial<ResourcePool>, field: string): FieldError[] {
  const { name = '', resourceSliceCount = 0, generation = 0 } = given;
  return [
    ...validatePoolName(name, `${field}.name`),
    ...(resourceSliceCount > 0
      ? []
      : [invalidValue(`${field}.resourceSliceCount`, resourceSliceCount, 'must be greater than zero')]),
    ...(generation < 0
      ? [invalidValue(`${field}.generation`, generation, 'must be greater than or equal to zero')]
      : []),
  ];
}

function place(spec: Spec, field: string): FieldError[] {
  const { nodeSelector, perDeviceNodeSelection } = spec;
  const terms = list(nodeSelector?.nodeSelectorTerms);
  const { errors, used } = validateNodeChoice(spec, field, 'must be either unset or set to a non-empty string');
  if (nodeSelector !== undefined && terms.length !== 1) {
    const path = `${field}.nodeSelector.nodeSelectorTerms`;
    errors.push(invalidValue(path, nodeSelector.nodeSelectorTerms, 'must have exactly one node selector term'));
  }
  if (perDeviceNodeSelection === true) used.push('`perDeviceNodeSelection`');
  if (perDeviceNodeSelection === false) {
    errors.push(invalidValue(`${field}.perDeviceNodeSelection`, false, 'must be either unset or set to true'));
  }
  if (used.length === 0) errors.push(required(field, `exactly one of ${CHOICES} is required`));
  if (used.length > 1) {
    const detail = `exactly one of ${CHOICES} is required, but multiple fields are set`;
    errors.push(invalidValue(field, `{${used.join(', ')}}`, detail));
  }
  return errors;
}

function counterSet(set: CounterSet, path: string): FieldError[] {
  const name = set.name ?? '';
  return [
    ...(name === '' ? [required(`${path}.name`, '')] : dnsLabel(name, `${path}.name`)),
    ...validateCounters(set.counters, `${path}.counters`),
  ];
}
