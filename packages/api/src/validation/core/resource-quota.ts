import { type FieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import { entryByEntry, errorsOfEach } from '@binnacle/apimachinery/validation';
import type { Steps } from '@binnacle/apimachinery/work';
import type {
  ResourceQuota,
  ResourceQuotaSpec,
  ScopedResourceSelectorRequirement,
} from '../../generated/types/core-v1.js';
import { finalizerDomains, list } from '../common.js';
import { type GoStruct, shownStruct } from '../go-struct.js';
import {
  isStandardQuotaResource,
  type ResourceList,
  validateQuotaResourceName,
  validateResourceAmount,
} from '../quantities.js';

// Upstream: `ValidateResourceQuotaSpec`.

const COUNTED_PODS = ['pods'];
const COMPUTED_PODS = [
  ...COUNTED_PODS,
  'cpu',
  'memory',
  'limits.cpu',
  'limits.memory',
  'requests.cpu',
  'requests.memory',
];
/** The resources that each scope can limit. */
const SCOPES: ReadonlyMap<string, readonly string[]> = new Map([
  ['Terminating', COMPUTED_PODS],
  ['NotTerminating', COMPUTED_PODS],
  ['BestEffort', COUNTED_PODS],
  ['NotBestEffort', COMPUTED_PODS],
  ['PriorityClass', COMPUTED_PODS],
  ['CrossNamespacePodAffinity', COMPUTED_PODS],
  ['VolumeAttributesClass', ['persistentvolumeclaims', 'requests.storage']],
]);
/** Scopes without values. */
const PLAIN_SCOPES = ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity'];
const CONFLICTS = [
  ['BestEffort', 'NotBestEffort'],
  ['NotTerminating', 'Terminating'],
] as const;
const SHOWN_SELECTOR: GoStruct = {
  MatchExpressions: [
    'matchExpressions',
    null,
    { ScopeName: ['scopeName', ''], Operator: ['operator', ''], Values: ['values', null] },
  ],
};

export function* validateResourceQuota(object: ResourceQuota): Steps<FieldError[]> {
  return [...(yield* specErrors(object.spec ?? {})), ...(yield* statusErrors(object))];
}

function* specErrors(spec: ResourceQuotaSpec): Steps<FieldError[]> {
  return [...(yield* amounts(spec.hard, 'spec.hard')), ...scopeErrors(spec), ...selectorErrors(spec)];
}

function* statusErrors({ status }: ResourceQuota): Steps<FieldError[]> {
  return [...(yield* amounts(status?.hard, 'status.hard')), ...(yield* amounts(status?.used, 'status.used'))];
}

function amounts(given: ResourceList | undefined, field: string): Steps<FieldError[]> {
  return entryByEntry(given, (name, amount) => [
    ...validateQuotaResourceName(name, `${field}[${name}]`),
    ...validateResourceAmount(name, amount, `${field}[${name}]`),
  ]);
}

/**
 * The limits that a scope cannot apply to; one error for each. A repeated scope reports none, because a request has
 * room for 60,000 scopes and as many limits.
 */
function pointlessLimits(hard: ResourceList | undefined): (scope: string) => readonly string[] {
  const limits = Object.keys(hard ?? {}).filter(isStandardQuotaResource);
  const seen = new Set<string>();
  return (scope) => {
    const limitable = SCOPES.get(scope);
    if (limitable === undefined || seen.has(scope)) return [];
    seen.add(scope);
    return limits.filter((name) => !limitable.includes(name));
  };
}

function conflicts(names: readonly string[], shown: readonly string[] | null, field: string): FieldError[] {
  return CONFLICTS.filter((pair) => pair.every((scope) => names.includes(scope))).map(() =>
    invalidValue(field, shown, 'conflicting scopes'),
  );
}

function scopeErrors(spec: ResourceQuotaSpec): FieldError[] {
  const scopes = list(spec.scopes);
  const pointless = pointlessLimits(spec.hard);
  const problem = (detail: string): FieldError => invalidValue('spec.scopes', scopes, detail);
  return [
    ...errorsOfEach(scopes, (scope) => [
      ...(SCOPES.has(scope) ? [] : [problem('unsupported scope')]),
      ...pointless(scope).map(() => problem('unsupported scope applied to resource')),
    ]),
    ...conflicts(scopes, scopes, 'spec.scopes'),
  ];
}

function selectorErrors(spec: ResourceQuotaSpec): FieldError[] {
  if (spec.scopeSelector === undefined) return [];
  const field = 'spec.scopeSelector.matchExpressions';
  const requirements = list(spec.scopeSelector.matchExpressions);
  const shown = shownStruct(spec.scopeSelector, SHOWN_SELECTOR);
  const pointless = pointlessLimits(spec.hard);
  return [
    // Upstream's paths have no index.
    ...errorsOfEach(requirements, (requirement) => [
      ...(SCOPES.has(requirement.scopeName)
        ? []
        : [invalidValue(`${field}.scopeName`, requirement.scopeName ?? '', 'unsupported scope')]),
      ...pointless(requirement.scopeName).map(() =>
        invalidValue(field, shown, 'unsupported scope applied to resource'),
      ),
      ...operatorErrors(requirement, field),
    ]),
    ...conflicts(
      requirements.map(({ scopeName }) => scopeName),
      spec.scopes ?? null,
      field,
    ),
  ];
}

function operatorErrors(requirement: ScopedResourceSelectorRequirement, field: string): FieldError[] {
  const { scopeName } = requirement;
  const operator = requirement.operator ?? '';
  const values = list(requirement.values);
  const errors: FieldError[] = [];
  if (PLAIN_SCOPES.includes(scopeName) && operator !== 'Exists') {
    const detail =
      "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
    errors.push(invalidValue(`${field}.operator`, operator, detail));
  }
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return errors;
      return [
        ...errors,
        required(`${field}.values`, "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"),
      ];
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return errors;
      return [
        ...errors,
        invalidValue(
          `${field}.values`,
          values,
          "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
        ),
      ];
    default:
      return [...errors, invalidValue(`${field}.operator`, operator, 'not a valid selector operator')];
  }
}

export function* validateResourceQuotaUpdate(object: ResourceQuota, old: ResourceQuota): Steps<FieldError[]> {
  const scopes = list(object.spec?.scopes);
  const before = new Set(list(old.spec?.scopes));
  const same = scopes.every((scope) => before.has(scope)) && new Set(scopes).size === before.size;
  return [
    ...finalizerDomains(object),
    ...(yield* specErrors(object.spec ?? {})),
    ...(same ? [] : [invalidValue('spec.scopes', scopes, 'field is immutable')]),
  ];
}

export function* validateResourceQuotaStatusUpdate(object: ResourceQuota): Steps<FieldError[]> {
  return [...finalizerDomains(object), ...(yield* statusErrors(object))];
}
