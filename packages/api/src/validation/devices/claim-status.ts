import { type FieldError, forbiddenField, invalidValue, tooLong, tooMany } from '@binnacle/apimachinery/status';
import {
  formatIpAddress,
  parseIpPrefix,
  utf8Length,
  validateConditions,
  validateImmutable,
} from '@binnacle/apimachinery/validation';
import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceAllocationConfiguration,
  DeviceRequestAllocationResult,
  NetworkDeviceData,
  ResourceClaim,
  ResourceClaimConsumerReference,
} from '../../generated/types/resource-v1.js';
import { typeNamed } from '../../table/index.js';
import { dnsLabel, finalizerDomains, list, requireOneOf, requireText } from '../common.js';
import { validateNodeSelector } from '../pod/affinity.js';
import { validateDriverName } from '../volumes/volume-drivers.js';
import {
  CONFIGURATIONS_MAXIMUM,
  type RequestNames,
  requestNamesOf,
  validateRequestReference,
  validateRequestReferences,
} from './claim.js';
import { validateItems, validateSet } from './collections.js';
import { validateDeviceConfiguration, validateRawObject } from './configuration.js';
import { validatePoolName, validateShareId } from './names.js';
import { validateBindingConditions } from './taints.js';

// Upstream: `validateResourceClaimStatusUpdate`.

const CONSUMERS_MAXIMUM = 256;
const RESULTS_MAXIMUM = 32;
const CONDITIONS_MAXIMUM = 8;
const DATA_MAXIMUM = 10 * 1024;
const ADDRESSES_MAXIMUM = 16;
const INTERFACE_NAME_MAXIMUM = 256;
const HARDWARE_ADDRESS_MAXIMUM = 128;
const CONFIGURATION_SOURCES = ['FromClaim', 'FromClass'];

/** A device, or a share of it. */
interface DeviceIdentity {
  readonly driver?: string;
  readonly pool?: string;
  readonly device?: string;
  readonly shareID?: string | undefined;
}

export function allocatedDeviceKey({ driver, pool, device, shareID }: DeviceIdentity): string {
  return JSON.stringify([driver ?? '', pool ?? '', device ?? '', shareID ?? '']);
}

export function validateResourceClaimStatusUpdate(object: ResourceClaim, old: ResourceClaim): FieldError[] {
  const { allocation, reservedFor, devices } = object.status ?? {};
  const before = old.status?.allocation;
  const allocated = new Set(list(allocation?.devices?.results).map(allocatedDeviceKey));
  const identify = (reference: ResourceClaimConsumerReference): string => reference.uid ?? '';
  return [
    ...finalizerDomains(object),
    ...validateSet(reservedFor, CONSUMERS_MAXIMUM, 'status.reservedFor', consumer, identify),
    ...validateSet(
      devices,
      Number.POSITIVE_INFINITY,
      'status.devices',
      (device, path) => deviceStatus(device, path, allocated),
      allocatedDeviceKey,
      shownIdentity,
    ),
    ...reservations(object, old),
    ...(before !== undefined && allocation !== undefined
      ? validateImmutable(allocation, before, 'status.allocation', typeNamed('io.k8s.api.resource.v1.AllocationResult'))
      : []),
    ...(before === undefined && allocation !== undefined
      ? allocationErrors(allocation, 'status.allocation', requestNamesOf(object))
      : []),
  ];
}

/** Upstream's key has no exported fields, so messages show an empty struct. */
function shownIdentity(): object {
  return { Driver: {}, Pool: {}, Device: {}, ShareID: {} };
}

function consumer(reference: Partial<ResourceClaimConsumerReference>, path: string): FieldError[] {
  return [
    ...requireText(reference.resource, `${path}.resource`),
    ...requireText(reference.name, `${path}.name`),
    ...requireText(reference.uid, `${path}.uid`),
  ];
}

/** Only an allocated claim can be reserved, and only until it is deleted. */
function reservations(object: ResourceClaim, old: ResourceClaim): FieldError[] {
  const reservedFor = list(object.status?.reservedFor);
  if (reservedFor.length === 0) return [];
  const field = 'status.reservedFor';
  if (object.status?.allocation === undefined) {
    return [forbiddenField(field, 'may not be specified when `allocated` is not set')];
  }
  if (!object.metadata?.deletionTimestamp) return [];
  const key = ({ apiGroup = '', resource, name, uid }: ResourceClaimConsumerReference): string =>
    JSON.stringify([apiGroup, resource, name, uid]);
  const known = new Set(list(old.status?.reservedFor).map(key));
  if (reservedFor.every((reference) => known.has(key(reference)))) return [];
  const detail = 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set';
  return [forbiddenField(field, detail)];
}

function allocationErrors(allocation: AllocationResult, field: string, names: RequestNames): FieldError[] {
  return [
    ...validateItems(allocation.devices?.results, RESULTS_MAXIMUM, `${field}.devices.results`, (result, path) =>
      allocatedDevice(result, path, names),
    ),
    ...validateItems(
      allocation.devices?.config,
      2 * CONFIGURATIONS_MAXIMUM,
      `${field}.devices.config`,
      (configuration, path) => allocatedConfiguration(configuration, path, names),
    ),
    ...(allocation.nodeSelector === undefined
      ? []
      : validateNodeSelector(allocation.nodeSelector, `${field}.nodeSelector`)),
  ];
}

function allocatedDevice(
  result: Partial<DeviceRequestAllocationResult>,
  path: string,
  names: RequestNames,
): FieldError[] {
  const { request = '', driver, pool = '', device = '', shareID } = result;
  return [
    ...validateRequestReference(request, `${path}.request`, names),
    ...validateDriverName(driver, `${path}.driver`),
    ...validatePoolName(pool, `${path}.pool`),
    ...dnsLabel(device, `${path}.device`),
    ...validateBindingConditions(result, path),
    ...(shareID === undefined ? [] : validateShareId(shareID, `${path}.shareID`)),
  ];
}

function allocatedConfiguration(
  configuration: DeviceAllocationConfiguration,
  path: string,
  names: RequestNames,
): FieldError[] {
  return [
    ...requireOneOf(configuration.source, CONFIGURATION_SOURCES, `${path}.source`),
    ...validateRequestReferences(configuration.requests, `${path}.requests`, names),
    ...validateDeviceConfiguration(configuration, path),
  ];
}

function deviceStatus(
  status: Partial<AllocatedDeviceStatus>,
  path: string,
  allocated: ReadonlySet<string>,
): FieldError[] {
  const { driver, pool = '', device = '', shareID, data } = status;
  const conditions = list(status.conditions);
  return [
    ...validateDriverName(driver, `${path}.driver`),
    ...validatePoolName(pool, `${path}.pool`),
    ...dnsLabel(device, `${path}.device`),
    ...(shareID === undefined ? [] : validateShareId(shareID, `${path}.shareID`)),
    ...(allocated.has(allocatedDeviceKey({ ...status }))
      ? []
      : [invalidValue(path, shownIdentity(), 'must be an allocated device in the claim')]),
    ...(conditions.length > CONDITIONS_MAXIMUM
      ? [tooMany(`${path}.conditions`, conditions.length, CONDITIONS_MAXIMUM)]
      : []),
    ...validateConditions(conditions as Parameters<typeof validateConditions>[0], `${path}.conditions`),
    ...(data === undefined ? [] : validateRawObject(data, DATA_MAXIMUM, `${path}.data`)),
    ...(status.networkData === undefined ? [] : networkData(status.networkData, `${path}.networkData`)),
  ];
}

function networkData(data: NetworkDeviceData, field: string): FieldError[] {
  const long = (name: 'interfaceName' | 'hardwareAddress', maximum: number): FieldError[] =>
    utf8Length(data[name] ?? '') > maximum ? [tooLong(`${field}.${name}`, maximum)] : [];
  return [
    ...long('interfaceName', INTERFACE_NAME_MAXIMUM),
    ...long('hardwareAddress', HARDWARE_ADDRESS_MAXIMUM),
    ...validateSet(data.ips, ADDRESSES_MAXIMUM, `${field}.ips`, interfaceAddress, (address) => address),
  ];
}

/** An address with its prefix length: `10.9.8.7/24`. */
function interfaceAddress(value: string, field: string): FieldError[] {
  const prefix = parseIpPrefix(value);
  if (prefix === undefined) {
    const detail = 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)';
    return [invalidValue(field, value, detail)];
  }
  const canonical = `${formatIpAddress(prefix.address)}/${prefix.length}`;
  return value === canonical ? [] : [invalidValue(field, value, `must be in canonical form ("${canonical}")`)];
}
