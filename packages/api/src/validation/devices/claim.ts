import { type FieldError, invalidValue, notSupported, required } from '@binnacle/apimachinery/status';
import {
  nameIsDnsSubdomain,
  validateAnnotations,
  validateImmutable,
  validateLabels,
} from '@binnacle/apimachinery/validation';
import type { Steps } from '@binnacle/apimachinery/work';
import type {
  DeviceClaim,
  DeviceClaimConfiguration,
  DeviceConstraint,
  DeviceRequest,
  DeviceSelector,
  DeviceSubRequest,
  ExactDeviceRequest,
  ResourceClaim,
  ResourceClaimTemplate,
} from '../../generated/types/resource-v1.js';
import { typeNamed } from '../../table/index.js';
import { dnsLabel, dnsSubdomain, finalizerDomains, forbiddenTemplateMetadata, list, wholeMetadata } from '../common.js';
import { validateItems, validateSet } from './collections.js';
import { compileSelectors, validateDeviceConfiguration, validateDeviceSelectors } from './configuration.js';
import type { ExpressionErrors } from './device-expression.js';
import { validateFullyQualifiedIdentifier } from './names.js';
import { validateDeviceTolerations } from './taints.js';

// Upstream: `ValidateResourceClaim`, `ValidateResourceClaimTemplate`.

const REQUESTS_MAXIMUM = 32;
const CONSTRAINTS_MAXIMUM = 32;
export const CONFIGURATIONS_MAXIMUM = 32;
const ALTERNATIVES_MAXIMUM = 8;
const ALLOCATION_MODES = ['All', 'ExactCount'];

/** The names of requests, each with the names of its alternatives. */
export type RequestNames = ReadonlyMap<string, ReadonlySet<string>>;

export function requestNamesOf(claim: ResourceClaim): RequestNames {
  return namesOf(claim.spec?.devices);
}

function namesOf(devices: DeviceClaim | undefined): RequestNames {
  return new Map(
    list(devices?.requests).map(({ name, firstAvailable }) => [
      name ?? '',
      new Set(list(firstAvailable).map((alternative) => alternative.name ?? '')),
    ]),
  );
}

export function* validateResourceClaim(object: ResourceClaim): Steps<FieldError[]> {
  return yield* deviceClaim(object.spec?.devices, 'spec.devices');
}

export function validateResourceClaimUpdate(object: ResourceClaim, old: ResourceClaim): FieldError[] {
  return [
    ...wholeMetadata(object, true, nameIsDnsSubdomain),
    ...finalizerDomains(object),
    ...validateImmutable(object.spec, old.spec, 'spec', typeNamed('io.k8s.api.resource.v1.ResourceClaimSpec')),
  ];
}

export function* validateResourceClaimTemplate(object: ResourceClaimTemplate): Steps<FieldError[]> {
  const metadata = object.spec?.metadata ?? {};
  return [
    ...validateAnnotations(metadata.annotations, 'spec.metadata.annotations'),
    ...validateLabels(metadata.labels, 'spec.metadata.labels'),
    ...forbiddenTemplateMetadata(metadata, 'spec.metadata'),
    ...(yield* deviceClaim(object.spec?.spec?.devices, 'spec.spec.devices')),
  ];
}

export function* validateResourceClaimTemplateUpdate(
  object: ResourceClaimTemplate,
  old: ResourceClaimTemplate,
): Steps<FieldError[]> {
  return [
    ...wholeMetadata(object, true, nameIsDnsSubdomain),
    ...(yield* validateResourceClaimTemplate(object)),
    ...finalizerDomains(object),
    ...validateImmutable(object.spec, old.spec, 'spec', typeNamed('io.k8s.api.resource.v1.ResourceClaimTemplateSpec')),
  ];
}

function* deviceClaim(claim: DeviceClaim | undefined, field: string): Steps<FieldError[]> {
  const names = namesOf(claim);
  const compiled = yield* compileSelectors(selectorsOf(claim));
  return [
    ...validateSet(
      claim?.requests,
      REQUESTS_MAXIMUM,
      `${field}.requests`,
      (item, path) => request(item, path, compiled),
      nameOf,
    ),
    ...validateItems(claim?.constraints, CONSTRAINTS_MAXIMUM, `${field}.constraints`, (item, path) =>
      constraint(item, path, names),
    ),
    ...validateItems(claim?.config, CONFIGURATIONS_MAXIMUM, `${field}.config`, (item, path) =>
      claimConfiguration(item, path, names),
    ),
  ];
}

function nameOf(item: DeviceRequest | DeviceSubRequest): string {
  return item.name ?? '';
}

function selectorsOf(claim: DeviceClaim | undefined): DeviceSelector[] {
  return list(claim?.requests)
    .flatMap(({ exactly, firstAvailable }) => [...(exactly === undefined ? [] : [exactly]), ...list(firstAvailable)])
    .flatMap(({ selectors }) => list(selectors));
}

function request(item: DeviceRequest, path: string, compiled: ExpressionErrors): FieldError[] {
  const errors = dnsLabel(item.name ?? '', `${path}.name`);
  const { exactly, firstAvailable } = item;
  const alternatives = list(firstAvailable).length > 0;
  if (exactly === undefined && !alternatives) {
    return [...errors, required(path, 'exactly one of `exactly` or `firstAvailable` is required')];
  }
  if (exactly !== undefined && alternatives) {
    const detail = 'exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set';
    return [...errors, invalidValue(path, null, detail)];
  }
  if (exactly !== undefined) return [...errors, ...exactRequest(exactly, `${path}.exactly`, compiled)];
  return [
    ...errors,
    ...validateSet(
      firstAvailable,
      ALTERNATIVES_MAXIMUM,
      `${path}.firstAvailable`,
      (alternative, at) => [
        ...dnsLabel(alternative.name ?? '', `${at}.name`),
        ...exactRequest(alternative, at, compiled),
      ],
      nameOf,
    ),
  ];
}

function exactRequest(
  item: Partial<ExactDeviceRequest> | DeviceSubRequest,
  path: string,
  compiled: ExpressionErrors,
): FieldError[] {
  const { deviceClassName, allocationMode = '', count = 0 } = item;
  return [
    ...(deviceClassName
      ? dnsSubdomain(deviceClassName, `${path}.deviceClassName`)
      : [required(`${path}.deviceClassName`, '')]),
    ...validateDeviceSelectors(item.selectors, `${path}.selectors`, compiled),
    ...allocation(allocationMode, count, path),
    ...validateDeviceTolerations(item.tolerations, `${path}.tolerations`),
  ];
}

function allocation(mode: string, count: number | bigint, path: string): FieldError[] {
  const field = `${path}.count`;
  switch (mode) {
    case 'All':
      if (Number(count) === 0) return [];
      return [invalidValue(field, count, `must not be specified when allocationMode is '${mode}'`)];
    case 'ExactCount':
      return count > 0 ? [] : [invalidValue(field, count, 'must be greater than zero')];
    default:
      return [notSupported(`${path}.allocationMode`, mode, ALLOCATION_MODES)];
  }
}

function constraint(item: DeviceConstraint, path: string, names: RequestNames): FieldError[] {
  const { matchAttribute, distinctAttribute } = item;
  const errors = validateRequestReferences(item.requests, `${path}.requests`, names);
  if (matchAttribute !== undefined) {
    return [...errors, ...validateFullyQualifiedIdentifier(matchAttribute, `${path}.matchAttribute`)];
  }
  if (distinctAttribute !== undefined) {
    return [...errors, ...validateFullyQualifiedIdentifier(distinctAttribute, `${path}.distinctAttribute`)];
  }
  // Upstream uses this message also when neither is set.
  const detail = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';
  return [...errors, required(path, detail)];
}

function claimConfiguration(item: DeviceClaimConfiguration, path: string, names: RequestNames): FieldError[] {
  return [
    ...validateRequestReferences(item.requests, `${path}.requests`, names),
    ...validateDeviceConfiguration(item, path),
  ];
}

export function validateRequestReferences(
  references: readonly string[] | undefined,
  field: string,
  names: RequestNames,
): FieldError[] {
  return validateSet(
    references,
    REQUESTS_MAXIMUM,
    field,
    (name, path) => validateRequestReference(name, path, names),
    (name) => name,
  );
}

/** `request` or `request/alternative`. */
export function validateRequestReference(name: string, path: string, names: RequestNames): FieldError[] {
  const detail =
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
  const parts = name.split('/');
  if (parts.length > 2) return [invalidValue(path, name, detail)];
  const [first = '', second] = parts;
  const alternatives = names.get(first);
  const known = alternatives !== undefined && (second === undefined || alternatives.has(second));
  return [...parts.flatMap((part) => dnsLabel(part, path)), ...(known ? [] : [invalidValue(path, name, detail)])];
}
