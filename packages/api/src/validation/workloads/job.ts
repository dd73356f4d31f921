import { type FieldError, invalidValue, notSupported, required, tooLong } from '@binnacle/apimachinery/status';
import {
  nameIsDnsSubdomain,
  semanticEqual,
  utf8Length,
  validateDns1123Label,
  validateDomainPrefixedPath,
  validateImmutable,
  validateNonNegative,
} from '@binnacle/apimachinery/validation';
import type { Job, JobSpec, JobTemplateSpec } from '../../generated/types/batch-v1.js';
import type { Affinity, Container, PodSpec } from '../../generated/types/core-v1.js';
import { fieldNamed, typeNamed } from '../../table/index.js';
import { list, optionalOneOf, selects, shownMap, shownSelector, templateMismatch, wholeMetadata } from '../common.js';
import { validateSelectorUnchanged } from './deployment.js';
import { type GoStruct, shownStruct } from '../go-struct.js';
import {
  SHOWN_FAILURE_POLICY,
  SHOWN_SUCCESS_POLICY,
  validatePodFailurePolicy,
  validateSuccessPolicy,
} from './job-policies.js';
import { labelSelector } from '../label-selector.js';
import { noPodSpec, validatePodTemplate } from '../pod/template.js';

// Upstream: `pkg/apis/batch/validation`.

const POD_SPEC = 'io.k8s.api.core.v1.PodSpec';
const JOB_SPEC = 'io.k8s.api.batch.v1.JobSpec';

const INDEXED_MAXIMUM = 100_000;
const MANY_INDEXES_MAXIMUM = 10_000;
const MANAGED_BY_MAXIMUM = 63;
/** The labels that a generated selector requires of a Job's pods, each with the metadata field it repeats. */
export const GENERATED_LABELS: readonly (readonly [string, 'uid' | 'name'])[] = [
  ['controller-uid', 'uid'],
  ['job-name', 'name'],
  ['batch.kubernetes.io/controller-uid', 'uid'],
  ['batch.kubernetes.io/job-name', 'name'],
];
const LEGACY_LABELS = GENERATED_LABELS.slice(0, 2);
const PREFIXED_LABELS = GENERATED_LABELS.slice(2);

export function validateJob(object: Job): FieldError[] {
  return wholeJob(object, GENERATED_LABELS);
}

function wholeJob(object: Job, generated: typeof GENERATED_LABELS): FieldError[] {
  const spec: Partial<JobSpec> = object.spec ?? {};
  return [...generatedSelector(object, generated), ...jobSpec(spec), ...hostnames(object, spec)];
}

function jobSpec(spec: Partial<JobSpec>): FieldError[] {
  const labels = spec.template?.metadata?.labels;
  return [
    ...commonSpec(spec, 'spec'),
    ...(spec.selector === undefined ? [required('spec.selector', '')] : labelSelector(spec.selector, 'spec.selector')),
    ...(selects(spec.selector, labels) === false ? [templateMismatch(labels, 'spec.template')] : []),
  ];
}

function generatedSelector(object: Job, generated: typeof GENERATED_LABELS): FieldError[] {
  const spec = object.spec;
  if (spec === undefined || spec.manualSelector === true || spec.selector === undefined) return [];
  const meta = object.metadata ?? {};
  const labels = spec.template?.metadata?.labels;
  const errors = meta.uid ? [] : [required('metadata.uid', '')];
  const expected: Record<string, string> = {};
  for (const [label, source] of generated) {
    const value = meta[source] ?? '';
    const field = `spec.template.metadata.labels[${label}]`;
    const actual = labels !== undefined && Object.hasOwn(labels, label) ? labels[label] : undefined;
    expected[label] = value;
    if (actual === undefined) errors.push(required(field, `must be '${value}'`));
    else if (actual !== value) errors.push(invalidValue(field, shownMap(labels), `must be '${value}'`));
  }
  if (selects(spec.selector, expected) === false) {
    errors.push(invalidValue('spec.selector', shownSelector(spec.selector), '`selector` not auto-generated'));
  }
  return errors;
}

/** An indexed Job's pods are named after the Job and their index, and that name must be a DNS label. */
function hostnames(object: Job, spec: Partial<JobSpec>): FieldError[] {
  if (spec.completionMode !== 'Indexed' || !spec.completions || spec.completions < 0) return [];
  const name = object.metadata?.name ?? '';
  const longest = `${name}-${spec.completions - 1}`;
  if (validateDns1123Label(longest).length === 0) return [];
  return [invalidValue('metadata.name', name, `will not able to create pod with invalid DNS label: ${longest}`)];
}

function commonSpec(spec: Partial<JobSpec>, field: string): FieldError[] {
  const counts = [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  ] as const;
  return [
    ...counts.flatMap((name) => validateNonNegative(spec[name], `${field}.${name}`)),
    ...(spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined
      ? [required(`${field}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')]
      : []),
    ...managedBy(spec.managedBy, `${field}.managedBy`),
    ...optionalOneOf(spec.completionMode, ['NonIndexed', 'Indexed'], `${field}.completionMode`),
    ...(spec.completionMode === 'Indexed' ? indexed(spec, field) : notIndexed(spec, field)),
    ...(spec.podFailurePolicy ? validatePodFailurePolicy(spec, `${field}.podFailurePolicy`) : []),
    ...(spec.successPolicy ? validateSuccessPolicy(spec, `${field}.successPolicy`) : []),
    ...replacement(spec, `${field}.podReplacementPolicy`),
    ...validatePodTemplate(spec.template, `${field}.template`),
    ...restartPolicy(spec, `${field}.template.spec.restartPolicy`),
  ];
}

function managedBy(value: string | undefined, field: string): FieldError[] {
  if (value === undefined) return [];
  const errors = validateDomainPrefixedPath(value, field);
  return utf8Length(value) > MANAGED_BY_MAXIMUM ? [...errors, tooLong(field, MANAGED_BY_MAXIMUM)] : errors;
}

function indexed(spec: Partial<JobSpec>, field: string): FieldError[] {
  const { completions, parallelism = 0, maxFailedIndexes } = spec;
  const errors: FieldError[] = [];
  if (completions === undefined) errors.push(required(`${field}.completions`, 'when completion mode is Indexed'));
  if (parallelism > INDEXED_MAXIMUM) {
    const detail = `must be less than or equal to ${INDEXED_MAXIMUM} when completion mode is Indexed`;
    errors.push(invalidValue(`${field}.parallelism`, parallelism, detail));
  }
  if (completions !== undefined && maxFailedIndexes !== undefined && maxFailedIndexes > completions) {
    const detail = 'must be less than or equal to completions';
    errors.push(invalidValue(`${field}.maxFailedIndexes`, maxFailedIndexes, detail));
  }
  if (maxFailedIndexes !== undefined && maxFailedIndexes > INDEXED_MAXIMUM) {
    const detail = `must be less than or equal to ${INDEXED_MAXIMUM}`;
    errors.push(invalidValue(`${field}.maxFailedIndexes`, maxFailedIndexes, detail));
  }
  return [...errors, ...manyIndexes(spec, field)];
}

/** A Job with many indexes and backoff per index has limits on parallelism and failures. */
function manyIndexes(spec: Partial<JobSpec>, field: string): FieldError[] {
  const { completions = 0, parallelism, maxFailedIndexes } = spec;
  if (completions <= INDEXED_MAXIMUM || spec.backoffLimitPerIndex === undefined) return [];
  const within = (name: string, value: number | undefined): FieldError[] =>
    value === undefined || value <= MANY_INDEXES_MAXIMUM
      ? []
      : [
          invalidValue(
            `${field}.${name}`,
            value,
            `must be less than or equal to ${MANY_INDEXES_MAXIMUM} when completions are above ${INDEXED_MAXIMUM} and used with backoff limit per index`,
          ),
        ];
  return [
    ...(maxFailedIndexes === undefined
      ? [required(`${field}.maxFailedIndexes`, `must be specified when completions is above ${INDEXED_MAXIMUM}`)]
      : []),
    ...within('parallelism', parallelism),
    ...within('maxFailedIndexes', maxFailedIndexes),
  ];
}

function notIndexed(spec: Partial<JobSpec>, field: string): FieldError[] {
  return (['backoffLimitPerIndex', 'maxFailedIndexes'] as const).flatMap((name) =>
    spec[name] === undefined ? [] : [invalidValue(`${field}.${name}`, spec[name], 'requires indexed completion mode')],
  );
}

function replacement(spec: Partial<JobSpec>, field: string): FieldError[] {
  const policies = spec.podFailurePolicy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'];
  return optionalOneOf(spec.podReplacementPolicy, policies, field);
}

function restartPolicy(spec: Partial<JobSpec>, field: string): FieldError[] {
  const policy = spec.template?.spec?.restartPolicy ?? '';
  if (policy === '' || policy === 'Always') return [required(field, 'valid values: "OnFailure", "Never"')];
  if (policy !== 'OnFailure' && policy !== 'Never') return [notSupported(field, policy, ['OnFailure', 'Never'])];
  if (spec.podFailurePolicy === undefined || policy === 'Never') return [];
  return [invalidValue(field, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}

/** The Job template of a CronJob. Its selector is always generated. */
export function validateJobTemplate(template: JobTemplateSpec | undefined, field: string): FieldError[] {
  const spec: Partial<JobSpec> = template?.spec ?? {};
  const errors = commonSpec(spec, `${field}.spec`);
  if (spec.selector !== undefined) {
    const detail = '`selector` will be auto-generated';
    errors.push(invalidValue(`${field}.spec.selector`, shownSelector(spec.selector), detail));
  }
  if (spec.manualSelector === true) {
    errors.push(notSupported(`${field}.spec.manualSelector`, true, ['nil', 'false']));
  }
  return errors;
}

export function validateJobUpdate(object: Job, old: Job): FieldError[] {
  const spec: Partial<JobSpec> = object.spec ?? {};
  const before: Partial<JobSpec> = old.spec ?? {};
  const immutable = (name: 'completionMode' | 'backoffLimitPerIndex' | 'managedBy') =>
    validateImmutable(spec[name], before[name], `spec.${name}`);
  // Jobs created before the prefixed labels may lack them.
  const labels = before.template?.metadata?.labels ?? {};
  const isPrefixed = PREFIXED_LABELS.every(([label]) => Object.hasOwn(labels, label));
  return [
    ...wholeMetadata(object, true, nameIsDnsSubdomain),
    ...wholeJob(object, isPrefixed ? GENERATED_LABELS : LEGACY_LABELS),
    ...jobSpec(spec),
    ...completions(spec, before),
    ...validateSelectorUnchanged(spec.selector, before.selector),
    ...templateUpdate(object, old),
    ...immutable('completionMode'),
    ...policyImmutable('podFailurePolicy', spec, before, SHOWN_FAILURE_POLICY),
    ...immutable('backoffLimitPerIndex'),
    ...immutable('managedBy'),
    ...policyImmutable('successPolicy', spec, before, SHOWN_SUCCESS_POLICY),
  ];
}

function policyImmutable(
  name: 'podFailurePolicy' | 'successPolicy',
  spec: Partial<JobSpec>,
  old: Partial<JobSpec>,
  shown: GoStruct,
): FieldError[] {
  const value = spec[name];
  const given = value === undefined ? undefined : shownStruct(value, shown);
  return semanticEqual(value, old[name], fieldNamed(JOB_SPEC, name))
    ? []
    : [invalidValue(`spec.${name}`, given, 'field is immutable')];
}

/** An elastic indexed Job may change completions together with parallelism. */
function completions(spec: Partial<JobSpec>, old: Partial<JobSpec>): FieldError[] {
  if (spec.completionMode !== 'Indexed')
    return validateImmutable(spec.completions, old.completions, 'spec.completions');
  if (semanticEqual(spec.completions, old.completions) || spec.completions === undefined) return [];
  if (spec.completions === spec.parallelism) return [];
  return [invalidValue('spec.completions', spec.completions, 'can only be modified in tandem with spec.parallelism')];
}

/** A Job that its controller has suspended, without active pods, may change its pods' scheduling and resources. */
function templateUpdate(object: Job, old: Job): FieldError[] {
  const { template } = object.spec ?? {};
  const before = old.spec?.template;
  const { conditions, active = 0 } = old.status ?? {};
  const paused = list(conditions).some(({ type, status }) => type === 'Suspended' && status === 'True');
  const mutable = old.spec?.suspend === true && paused && active === 0;
  if (!mutable || before === undefined || template === undefined) {
    return validateImmutable(template, before, 'spec.template', fieldNamed(JOB_SPEC, 'template'));
  }
  const spec = template.spec ?? noPodSpec;
  return validateImmutable(spec, comparable(spec, before.spec ?? noPodSpec), 'spec.template.spec', typeNamed(POD_SPEC));
}

/** The old spec with every mutable field taken from the new one. */
function comparable(spec: PodSpec, old: PodSpec): PodSpec {
  return {
    ...old,
    containers: withResources(spec.containers, old.containers) ?? [],
    initContainers: withResources(spec.initContainers, old.initContainers),
    nodeSelector: spec.nodeSelector,
    tolerations: spec.tolerations,
    schedulingGates: spec.schedulingGates,
    affinity: withNewNodeAffinity(spec.affinity, old.affinity),
  };
}

/** The old affinity, with the new node affinity. One without other parts may be removed. */
function withNewNodeAffinity(affinity: Affinity | undefined, old: Affinity | undefined): Affinity | undefined {
  const { nodeAffinity: _, ...others } = old ?? {};
  if (affinity === undefined) return Object.values(others).every((part) => part === undefined) ? undefined : others;
  return affinity.nodeAffinity === undefined ? others : { ...others, nodeAffinity: affinity.nodeAffinity };
}

function withResources(containers: Container[] | undefined, old: Container[] | undefined): Container[] | undefined {
  if (containers?.length !== old?.length) return old;
  return old?.map((container, index) => {
    const { name, resources } = containers?.[index] ?? {};
    return name === container.name ? { ...container, resources } : container;
  });
}
