import { type FieldError, invalidValue } from '@binnacle/apimachinery/status';
import type { ResourceQuota } from '../generated/types/core-v1.js';
import { list, finalizerDomains } from './common.js';
import { type ResourceList, validateQuotaResourceName, validateResourceAmount } from './quantities.js';

/** Upstream: `ValidateResourceQuotaSpec`. */
const SCOPES: ReadonlySet<string> = new Set([
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  'VolumeAttributesClass',
]);
const CONFLICTS = [
  ['BestEffort', 'NotBestEffort'],
  ['NotTerminating', 'Terminating'],
] as const;

export function validateResourceQuota(object: ResourceQuota): FieldError[] {
  const scopes = list(object.spec?.scopes);
  return [
    ...amounts(object.spec?.hard, 'spec.hard'),
    ...scopes.flatMap((scope) => (SCOPES.has(scope) ? [] : [invalidValue('spec.scopes', scopes, 'unsupported scope')])),
    ...CONFLICTS.flatMap((pair) =>
      pair.every((scope) => scopes.includes(scope)) ? [invalidValue('spec.scopes', scopes, 'conflicting scopes')] : [],
    ),
    ...amounts(object.status?.hard, 'status.hard'),
    ...amounts(object.status?.used, 'status.used'),
  ];
}

function amounts(given: ResourceList | undefined, field: string): FieldError[] {
  return Object.entries(given ?? {}).flatMap(([name, amount]) => [
    ...validateQuotaResourceName(name, `${field}[${name}]`),
    ...validateResourceAmount(name, amount, `${field}[${name}]`),
  ]);
}

export function validateResourceQuotaUpdate(object: ResourceQuota, old: ResourceQuota): FieldError[] {
  const scopes = list(object.spec?.scopes);
  const before = new Set(list(old.spec?.scopes));
  const same = scopes.every((scope) => before.has(scope)) && new Set(scopes).size === before.size;
  const { status: _, ...desired } = object;
  return [
    ...finalizerDomains(object),
    ...validateResourceQuota(desired),
    ...(same ? [] : [invalidValue('spec.scopes', scopes, 'field is immutable')]),
  ];
}

export function validateResourceQuotaStatusUpdate(object: ResourceQuota): FieldError[] {
  return [
    ...finalizerDomains(object),
    ...amounts(object.status?.hard, 'status.hard'),
    ...amounts(object.status?.used, 'status.used'),
  ];
}
