import { type FieldError, invalidValue, required, tooLong, tooMany } from '@binnacle/apimachinery/status';
import { DNS_LABEL_MAXIMUM, semanticEqual, utf8Length } from '@binnacle/apimachinery/validation';
import type { Counter, Device, DeviceAttribute, DeviceCounterConsumption } from '../../generated/types/resource-v1.js';
import { dnsLabel } from '../common.js';
import { type GoStruct, shownStruct } from '../go-struct.js';
import { validateDeviceCapacity } from './capacity.js';
import { validateItems, validateMap, validateSet } from './collections.js';
import { QUALIFIED_NAME_MAXIMUM, validateNodeChoice, validateQualifiedIdentifier } from './names.js';
import { validateBindingConditions, validateDeviceTaint } from './taints.js';

// Upstream: `validateDevice`.

const ATTRIBUTES_MAXIMUM = 32;
const VALUE_MAXIMUM = 64;
const TAINTS_MAXIMUM = 16;
const CONSUMPTIONS_MAXIMUM = 2;
const COUNTERS_MAXIMUM = 32;
/** A semantic version as semver.org defines it. */
const SEMANTIC_VERSION =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$/;
const SHOWN_ATTRIBUTE: GoStruct = {
  IntValue: ['int', null],
  BoolValue: ['bool', null],
  StringValue: ['string', null],
  VersionValue: ['version', null],
  IntValues: ['ints', null],
  BoolValues: ['bools', null],
  StringValues: ['strings', null],
  VersionValues: ['versions', null],
};

/**
 * @param old the stored device of the same name.
 * @param choosesNodes whether each device selects its nodes, rather than the slice for all.
 */
export function validateDevice(
  device: Device,
  old: Device | undefined,
  path: string,
  choosesNodes: boolean,
): FieldError[] {
  const shared = device.allowMultipleAllocations === true;
  const named = Object.keys(device.attributes ?? {}).length + Object.keys(device.capacity ?? {}).length;
  const total = `the total number of attributes and capacities must not exceed ${ATTRIBUTES_MAXIMUM}`;
  return [
    ...dnsLabel(device.name ?? '', `${path}.name`),
    ...(named > ATTRIBUTES_MAXIMUM ? [invalidValue(path, named, total)] : []),
    ...validateMap(
      device.attributes,
      QUALIFIED_NAME_MAXIMUM,
      `${path}.attributes`,
      validateQualifiedIdentifier,
      attribute,
    ),
    ...validateMap(
      device.capacity,
      QUALIFIED_NAME_MAXIMUM,
      `${path}.capacity`,
      validateQualifiedIdentifier,
      (capacity, at) => validateDeviceCapacity(capacity, at, shared),
    ),
    ...(old !== undefined && semanticEqual(old.taints, device.taints)
      ? []
      : validateItems(device.taints, TAINTS_MAXIMUM, `${path}.taints`, validateDeviceTaint)),
    ...validateSet(
      device.consumesCounters,
      CONSUMPTIONS_MAXIMUM,
      `${path}.consumesCounters`,
      consumption,
      (item) => item.counterSet ?? '',
    ),
    ...place(device, path, choosesNodes),
    ...validateBindingConditions(device, path),
  ];
}

function attribute(item: DeviceAttribute, path: string): FieldError[] {
  const { int, bool, string, version } = item;
  const given = [int, bool, string, version].filter((value) => value !== undefined).length;
  const long = (value: string | undefined, field: string): FieldError[] =>
    utf8Length(value ?? '') > VALUE_MAXIMUM ? [tooLong(field, VALUE_MAXIMUM)] : [];
  const detail = 'exactly one value must be specified';
  return [
    ...long(string, `${path}.string`),
    ...(version === undefined || SEMANTIC_VERSION.test(version)
      ? []
      : [invalidValue(`${path}.version`, version, 'must be a string compatible with semver.org spec 2.0.0')]),
    ...long(version, `${path}.version`),
    ...(given === 0 ? [invalidValue(path, '', detail)] : []),
    ...(given > 1 ? [invalidValue(path, shownStruct(item, SHOWN_ATTRIBUTE), detail)] : []),
  ];
}

function consumption(item: DeviceCounterConsumption, path: string): FieldError[] {
  const counterSet = item.counterSet ?? '';
  return [
    ...(counterSet === '' ? [required(`${path}.counterSet`, '')] : dnsLabel(counterSet, `${path}.counterSet`)),
    ...validateCounters(item.counters, `${path}.counters`),
  ];
}

export function validateCounters(counters: Readonly<Record<string, Counter>> | undefined, field: string): FieldError[] {
  const count = Object.keys(counters ?? {}).length;
  if (count === 0) return [required(field, '')];
  if (count > COUNTERS_MAXIMUM) return [tooMany(field, count, COUNTERS_MAXIMUM)];
  return validateMap(counters, DNS_LABEL_MAXIMUM, field, dnsLabel, () => []);
}

function place(device: Device, path: string, choosesNodes: boolean): FieldError[] {
  if (!choosesNodes) {
    const { nodeName, nodeSelector, allNodes } = device;
    if (nodeName === undefined && nodeSelector === undefined && allNodes === undefined) return [];
    const detail =
      '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
    return [invalidValue(path, null, detail)];
  }
  const { errors, used } = validateNodeChoice(device, path, 'must not be empty');
  const detail =
    'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
  if (used.length === 0) errors.push(required(path, detail));
  if (used.length > 1) errors.push(invalidValue(path, `{${used.join(', ')}}`, detail));
  return errors;
}
