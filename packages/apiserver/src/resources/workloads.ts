import { fieldNamed } from '@binnacle/api/table';
import type { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from '@binnacle/api/types/apps-v1';
import type { CronJob, Job } from '@binnacle/api/types/batch-v1';
import {
  GENERATED_LABELS,
  validateControllerRevision,
  validateControllerRevisionUpdate,
  validateCronJob,
  validateCronJobUpdate,
  validateDaemonSet,
  validateDaemonSetUpdate,
  validateDeployment,
  validateDeploymentUpdate,
  validateJob,
  validateJobUpdate,
  validateReplicaSet,
  validateReplicaSetUpdate,
  validateStatefulSet,
  validateStatefulSetUpdate,
} from '@binnacle/api/validation';
import type { ObjectMeta } from '@binnacle/apimachinery/meta';
import { quoteGo } from '@binnacle/apimachinery/status';
import { nameIsDnsLabel, semanticEqual } from '@binnacle/apimachinery/validation';
import type { Strategy } from '../registry/index.js';
import { gatedFields } from './gated-fields.js';
import { kind, spec } from './kind.js';
import { templateGates } from './pod-gates.js';
import { templateWarnings } from './warnings/pod-warnings.js';

// Upstream: `pkg/registry/apps`, `pkg/registry/batch`.

const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';
const UID_LABEL = 'batch.kubernetes.io/controller-uid';

/** Its annotations are copied to its ReplicaSets, so they are part of the desired state. */
export const deploymentStrategy: Strategy = kind<Deployment>({
  status: true,
  desired: (object) => ({ ...spec(object), metadata: { annotations: object.metadata.annotations } }),
  gated: templateGates('spec.template'),
  validate: validateDeployment,
  validateUpdate: validateDeploymentUpdate,
  warnings: templateWarnings('spec.template', (deployment: Deployment) => deployment.spec?.template, { named: true }),
});

export const replicaSetStrategy: Strategy = kind<ReplicaSet>({
  status: true,
  desired: spec,
  gated: templateGates('spec.template'),
  validate: validateReplicaSet,
  validateUpdate: validateReplicaSetUpdate,
  warnings: templateWarnings('spec.template', (set: ReplicaSet) => set.spec?.template, { named: true }),
});

export const statefulSetStrategy: Strategy = kind<StatefulSet>(
  {
    status: true,
    desired: spec,
    gated: [
      ...templateGates('spec.template'),
      gatedFields('MaxUnavailableStatefulSet', ['spec.updateStrategy.rollingUpdate.maxUnavailable']),
    ],
    validate: validateStatefulSet,
    validateUpdate: validateStatefulSetUpdate,
    warnings: templateWarnings('spec.template', (set: StatefulSet) => set.spec?.template, { named: false }),
  },
  { validateName: nameIsDnsLabel },
);

/** An annotation counts the changes of its template. */
export const daemonSetStrategy: Strategy = kind<DaemonSet>({
  status: true,
  desired: spec,
  gated: templateGates('spec.template'),
  prepareForCreate: (set) => countTemplates(set.metadata, 1),
  prepareForUpdate(set, old) {
    const count = templateCount(old.metadata);
    countTemplates(set.metadata, isSameTemplate(set, old) ? count : count + 1);
  },
  validate: validateDaemonSet,
  validateUpdate: validateDaemonSetUpdate,
  warnings: templateWarnings('spec.template', (set: DaemonSet) => set.spec?.template, { named: false }),
});

function isSameTemplate(set: DaemonSet, old: Readonly<DaemonSet>): boolean {
  return semanticEqual(
    set.spec?.template,
    old.spec?.template,
    fieldNamed('io.k8s.api.apps.v1.DaemonSetSpec', 'template'),
  );
}

/** Restores the count after a status write. Upstream keeps it in the spec of its internal type. */
export function keepTemplateCount(set: DaemonSet, old: Readonly<DaemonSet>): void {
  if (set.metadata !== undefined && old.metadata !== undefined)
    countTemplates(set.metadata, templateCount(old.metadata));
}

function templateCount(meta: Readonly<ObjectMeta>): number {
  return Number(meta.annotations?.[TEMPLATE_GENERATION] ?? 0);
}

function countTemplates(meta: ObjectMeta, count: number): void {
  meta.annotations = { ...meta.annotations, [TEMPLATE_GENERATION]: String(count) };
}

export const controllerRevisionStrategy: Strategy = kind<ControllerRevision>({
  validate: validateControllerRevision,
  validateUpdate: validateControllerRevisionUpdate,
});

export const jobStrategy: Strategy = kind<Job>(
  {
    status: true,
    desired: spec,
    gated: templateGates('spec.template'),
    prepareForCreate(job) {
      if (job.spec?.manualSelector !== true) generateSelector(job);
      if (Object.keys(job.metadata.labels ?? {}).length === 0) {
        const labels = job.spec?.template?.metadata?.labels;
        if (labels !== undefined && Object.keys(labels).length > 0) job.metadata.labels = { ...labels };
      }
    },
    validate: validateJob,
    validateUpdate: validateJobUpdate,
    warnings: templateWarnings('spec.template', (job: Job) => job.spec?.template, { named: true }),
    selectable: (job) => ({ 'status.successful': String(job.status?.succeeded ?? 0) }),
  },
  {
    defaultDeletionPropagation: 'Orphan',
    unsupportedFieldLabel: (label) => `field label ${quoteGo(label)} not supported for Job`,
    unnamedPropagationWarning:
      'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them ' +
      'or set propagationPolicy=Orphan to suppress this warning',
  },
);

/** The Job selects its pods by its uid. Values from the user are kept, and validation refuses wrong ones. */
function generateSelector(job: Job): void {
  if (job.spec === undefined) return;
  const meta = job.metadata ?? {};
  const template = job.spec.template ?? {};
  const labels = { ...template.metadata?.labels };
  for (const [label, source] of GENERATED_LABELS) {
    if (!Object.hasOwn(labels, label)) labels[label] = meta[source] ?? '';
  }
  // Defaulting makes the Job share its template's labels: then these labels are the Job's too.
  if (meta.labels !== undefined && meta.labels === template.metadata?.labels) meta.labels = { ...labels };
  job.spec.template = { ...template, metadata: { ...template.metadata, labels } };
  const matchLabels = { ...job.spec.selector?.matchLabels };
  if (!Object.hasOwn(matchLabels, UID_LABEL)) matchLabels[UID_LABEL] = meta.uid ?? '';
  job.spec.selector = { ...job.spec.selector, matchLabels };
}

export const cronJobStrategy: Strategy = kind<CronJob>({
  status: true,
  desired: spec,
  gated: templateGates('spec.jobTemplate.spec.template'),
  validate: validateCronJob,
  validateUpdate: validateCronJobUpdate,
  warnings: templateWarnings(
    'spec.jobTemplate.spec.template',
    (job: CronJob) => job.spec?.jobTemplate?.spec?.template,
    { named: true },
  ),
});
