import { type FieldError, forbiddenField, invalidValue, required } from '@binnacle/apimachinery/status';
import { semanticEqual, validateNonNegative } from '@binnacle/apimachinery/validation';
import type { StatefulSet, StatefulSetSpec } from '../../generated/types/apps-v1.js';
import type { PodTemplateSpec, Volume } from '../../generated/types/core-v1.js';
import { typeNamed } from '../../table/index.js';
import {
  dnsLabel,
  each,
  finalizerDomains,
  list,
  optionalOneOf,
  selects,
  shownSelector,
  templateMismatch,
} from '../common.js';
import { isZero, validateAtMostAll, validateIntOrPercent } from './int-or-percent.js';
import { validateClaimSpec } from '../volumes/persistent-volume-claim.js';
import { validatePodTemplate, validatePodTemplateMetadata } from '../pod/template.js';
import { validateRestartsAlways, validateRequiredSelector } from './template.js';

const CHANGEABLE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
] as const;

/** Upstream: `ValidateStatefulSetSpec`. */
export function validateStatefulSet(object: StatefulSet): FieldError[] {
  return specErrors(object.spec ?? {}, strict);
}

/** Immutable fields are not validated again. A template is not validated if the stored set was already invalid. */
interface Leniency {
  readonly fixedFields: boolean;
  readonly template: boolean;
}

const strict: Leniency = { fixedFields: false, template: false };

function specErrors(spec: Partial<StatefulSetSpec>, lenient: Leniency): FieldError[] {
  const claims = lenient.fixedFields ? [] : spec.volumeClaimTemplates;
  return [
    ...podManagement(spec.podManagementPolicy ?? ''),
    ...updateStrategy(spec),
    ...retention(spec),
    ...each(claims, 'spec.volumeClaimTemplates', (claim, path) => validateClaimSpec(claim.spec ?? {}, `${path}.spec`)),
    ...validateNonNegative(spec.replicas, 'spec.replicas'),
    ...validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...validateNonNegative(spec.ordinals?.start, 'spec.ordinals.start'),
    ...(spec.serviceName && !lenient.fixedFields ? dnsLabel(spec.serviceName, 'spec.serviceName') : []),
    ...validateRequiredSelector(spec.selector, 'empty selector is invalid for statefulset'),
    ...selectedTemplate(spec, lenient),
    ...validateRestartsAlways(spec.template, 'StatefulSet'),
  ];
}

function podManagement(policy: string): FieldError[] {
  const field = 'spec.podManagementPolicy';
  if (policy === '') return [required(field, '')];
  if (policy === 'OrderedReady' || policy === 'Parallel') return [];
  return [invalidValue(field, policy, "must be 'OrderedReady' or 'Parallel'")];
}

function updateStrategy(spec: Partial<StatefulSetSpec>): FieldError[] {
  const field = 'spec.updateStrategy';
  const { type = '', rollingUpdate } = spec.updateStrategy ?? {};
  const shown = rollingUpdate && {
    Partition: rollingUpdate.partition ?? 0,
    MaxUnavailable: rollingUpdate.maxUnavailable ?? null,
  };
  switch (type) {
    case '':
      return [required(field, '')];
    case 'OnDelete':
      if (rollingUpdate === undefined) return [];
      return [invalidValue(`${field}.rollingUpdate`, shown, "only allowed for updateStrategy 'RollingUpdate'")];
    case 'RollingUpdate':
      return rollingUpdate === undefined ? [] : rolling(rollingUpdate, `${field}.rollingUpdate`);
    default: {
      const whole = { Type: type, RollingUpdate: shown ?? null };
      return [invalidValue(field, whole, "must be 'RollingUpdate' or 'OnDelete'")];
    }
  }
}

function rolling(
  value: { partition?: number | undefined; maxUnavailable?: number | string | undefined },
  field: string,
): FieldError[] {
  const { partition, maxUnavailable } = value;
  const errors = validateNonNegative(partition, `${field}.partition`);
  if (maxUnavailable === undefined) return errors;
  const path = `${field}.maxUnavailable`;
  return [
    ...errors,
    ...validateIntOrPercent(maxUnavailable, path),
    ...(isZero(maxUnavailable) ? [invalidValue(path, maxUnavailable, 'cannot be 0')] : []),
    ...validateAtMostAll(maxUnavailable, path),
  ];
}

function retention(spec: Partial<StatefulSetSpec>): FieldError[] {
  const field = 'spec.persistentVolumeClaimRetentionPolicy';
  const policy = spec.persistentVolumeClaimRetentionPolicy;
  if (policy === undefined) return [];
  return (['whenDeleted', 'whenScaled'] as const).flatMap((name) =>
    optionalOneOf(policy[name] ?? '', ['Retain', 'Delete'], `${field}.${name}`),
  );
}

function selectedTemplate(spec: Partial<StatefulSetSpec>, lenient: Leniency): FieldError[] {
  const labels = spec.template?.metadata?.labels;
  const selected = selects(spec.selector, labels);
  if (selected === undefined) return [invalidValue('spec.selector', shownSelector(spec.selector), '')];
  return [
    ...(selected ? [] : [templateMismatch(labels, 'spec.template')]),
    ...(lenient.template ? [] : validatePodTemplate(templateOfPods(spec), 'spec.template')),
    ...validatePodTemplateMetadata(spec.template, 'spec.template'),
  ];
}

/** The template without the names that each pod gets of its own, and with a volume for each claim template. */
function templateOfPods(spec: Partial<StatefulSetSpec>): PodTemplateSpec | undefined {
  if (spec.template?.spec === undefined) return spec.template;
  const { subdomain: _, hostname: __, ...pod } = spec.template.spec;
  const claims = new Set(list(spec.volumeClaimTemplates).map(({ metadata }) => metadata?.name ?? ''));
  if (claims.size === 0) return { ...spec.template, spec: pod };
  const volumes: Volume[] = [...claims].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const own = list(pod.volumes).filter(({ name }) => !claims.has(name ?? ''));
  return { ...spec.template, spec: { ...pod, volumes: [...volumes, ...own] } };
}

const STATEFUL_SET_SPEC = 'io.k8s.api.apps.v1.StatefulSetSpec';

export function validateStatefulSetUpdate(object: StatefulSet, old: StatefulSet): FieldError[] {
  const frozen = (spec: StatefulSet['spec']): object =>
    Object.fromEntries(Object.entries(spec ?? {}).filter(([name]) => !CHANGEABLE.some((each) => each === name)));
  const errors = finalizerDomains(object);
  const wrongBefore = specErrors(old.spec ?? {}, { fixedFields: true, template: false }).length > 0;
  errors.push(...specErrors(object.spec ?? {}, { fixedFields: true, template: wrongBefore }));
  if (!semanticEqual(frozen(object.spec), frozen(old.spec), typeNamed(STATEFUL_SET_SPEC))) {
    const fields =
      "'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds'";
    errors.push(forbiddenField('spec', `updates to statefulset spec for fields other than ${fields} are forbidden`));
  }
  return errors;
}
