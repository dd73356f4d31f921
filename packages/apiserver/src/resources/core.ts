import { asKind } from '@binnacle/apimachinery/meta';
import type {
  ConfigMap,
  Endpoints,
  Event,
  LimitRange,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  PodTemplate,
  ReplicationController,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount,
} from '@binnacle/api/types/core-v1';
import {
  validateConfigMap,
  validateConfigMapUpdate,
  validateEndpoints,
  validateEndpointsUpdate,
  validateEvent,
  validateLimitRange,
  validateNamespace,
  validateNamespaceFinalizeUpdate,
  validateNamespaceStatusUpdate,
  validateNamespaceUpdate,
  validateNode,
  validateNodeStatusUpdate,
  validateNewEvent,
  validateNewEventUpdate,
  validateNodeUpdate,
  validatePersistentVolume,
  validatePersistentVolumeClaim,
  validatePersistentVolumeClaimUpdate,
  validatePersistentVolumeUpdate,
  validatePodTemplate,
  validateReplicationController,
  validateReplicationControllerUpdate,
  validateResourceQuota,
  validateResourceQuotaStatusUpdate,
  validateResourceQuotaUpdate,
  validateSecret,
  validateSecretUpdate,
  validateService,
  validateServiceAccountUpdate,
  validateServiceUpdate,
} from '@binnacle/api/validation';
import { formatTime } from '@binnacle/apimachinery/time';
import { nameIsDnsLabel, nameIsPathSegment } from '@binnacle/apimachinery/validation';
import type { Strategy } from '../registry/index.js';
import { gatedFields } from './gated-fields.js';
import { kind, restore, spec } from './kind.js';
import { templateGates } from './pod-gates.js';
import { dropInternalPolicy, dropUnusedValues } from './service-fields.js';
import { templateWarnings } from './warnings/pod-warnings.js';
import { nodeWarnings } from './warnings/node-warnings.js';
import { quotaWarnings } from './warnings/quota-warnings.js';
import { serviceWarnings } from './warnings/service-warnings.js';
import { claimWarnings, volumeWarnings } from './warnings/volume-warnings.js';
import { keepAllBut, statusStrategy } from './status.js';

// Upstream: `pkg/registry/core`.

const NAMESPACE_FINALIZER = 'kubernetes';
const NAME_LABEL = 'kubernetes.io/metadata.name';

export const configMapStrategy: Strategy = kind<ConfigMap>({
  validate: validateConfigMap,
  validateUpdate: validateConfigMapUpdate,
});

export const secretStrategy: Strategy = kind<Secret>({
  prepareForUpdate(secret, old) {
    if (!secret.type && old.type) secret.type = old.type;
  },
  validate: validateSecret,
  validateUpdate: validateSecretUpdate,
  selectable: (secret) => ({ type: secret.type ?? '' }),
});

/** Deleted only when spec.finalizers is empty; the phase shows the deletion. */
export const namespaceStrategy: Strategy = kind<Namespace>(
  {
    prepareForCreate(namespace) {
      namespace.status = { phase: 'Active' };
      const finalizers = namespace.spec?.finalizers ?? [];
      if (!finalizers.includes(NAMESPACE_FINALIZER)) {
        namespace.spec = { ...namespace.spec, finalizers: [...finalizers, NAMESPACE_FINALIZER] };
      }
    },
    prepareForUpdate(namespace, old) {
      restore(namespace, old, 'spec');
      restore(namespace, old, 'status');
    },
    validate: validateNamespace,
    validateUpdate: validateNamespaceUpdate,
    selectable: (namespace) => ({ 'status.phase': namespace.status?.phase ?? '', name: namespace.metadata.name ?? '' }),
  },
  {
    validateName: nameIsDnsLabel,
    refusesDeletesAsUpdates: true,
    returnsDeletedObject: true,
    hasOwnFinalizers: (object) => (asKind<Namespace>(object).spec?.finalizers ?? []).length > 0,
    prepareForDelete(object) {
      const namespace = asKind<Namespace>(object);
      namespace.status = { ...namespace.status, phase: 'Terminating' };
      // A namespace is deleted when its content is gone, not after a grace period.
      delete object.metadata.deletionGracePeriodSeconds;
    },
    canonicalize(object) {
      object.metadata.labels = { ...object.metadata.labels, [NAME_LABEL]: object.metadata.name ?? '' };
    },
  },
);

export const namespaceStatusStrategy: Strategy = statusStrategy<Namespace>({
  validateUpdate: validateNamespaceStatusUpdate,
});

/** The only way to write spec.finalizers. */
export const namespaceFinalizeStrategy: Strategy = {
  prepareForUpdate: (object, old) => keepAllBut('spec', object, old),
  validateUpdate: (object) => validateNamespaceFinalizeUpdate(object),
};

export const serviceStrategy: Strategy = kind<Service>(
  {
    status: true,
    prepareForUpdate: dropUnusedValues,
    validate: validateService,
    validateUpdate: validateServiceUpdate,
    warnings: serviceWarnings,
    selectable: (service) => ({
      'spec.clusterIP': service.spec?.clusterIP ?? '',
      'spec.type': service.spec?.type ?? '',
    }),
  },
  {
    validateName: nameIsDnsLabel,
    allowCreateOnUpdate: true,
    returnsDeletedObject: true,
    canonicalize: dropInternalPolicy,
  },
);

const MOUNTABLE_SECRETS = 'kubernetes.io/enforce-mountable-secrets';

function mountableSecretsWarnings(account: ServiceAccount, old: ServiceAccount | undefined): string[] {
  const isSet = (object: ServiceAccount | undefined) =>
    Object.hasOwn(object?.metadata?.annotations ?? {}, MOUNTABLE_SECRETS);
  if (isSet(old) || !isSet(account)) return [];
  const advice = 'deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets';
  return [`metadata.annotations[${MOUNTABLE_SECRETS}]: ${advice}`];
}

/** Keeps only the names of an account's secrets. */
function keepSecretNames(account: ServiceAccount): void {
  if (account.secrets === undefined) return;
  account.secrets = account.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}

export const serviceAccountStrategy: Strategy = kind<ServiceAccount>(
  {
    prepareForCreate: keepSecretNames,
    prepareForUpdate: keepSecretNames,
    validate: () => [],
    validateUpdate: validateServiceAccountUpdate,
    warnings: mountableSecretsWarnings,
  },
  { returnsDeletedObject: true },
);

export const endpointsStrategy: Strategy = kind<Endpoints>(
  { validate: validateEndpoints, validateUpdate: validateEndpointsUpdate },
  { allowCreateOnUpdate: true },
);

const ABOUT = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;

function eventFields(event: Event): Record<string, string> {
  const { involvedObject, reportingComponent = '' } = event;
  return {
    ...Object.fromEntries(ABOUT.map((field) => [`involvedObject.${field}`, involvedObject?.[field] ?? ''])),
    reason: event.reason ?? '',
    reportingComponent,
    source: event.source?.component || reportingComponent,
    type: event.type ?? '',
  };
}

const eventPaths = ['involvedObject', 'reason', 'reportingComponent', 'source', 'type'];

/** Upstream: `pkg/apis/events/v1/conversion.go`. */
const newEventLabels: ReadonlyMap<string, string> = new Map([
  ...ABOUT.map((field) => [`regarding.${field}`, `involvedObject.${field}`] as const),
  ['reason', 'reason'],
  ['reportingController', 'reportingComponent'],
  ['type', 'type'],
]);

export const eventStrategy: Strategy = kind<Event>(
  { anyFinalizer: true, validate: validateEvent, validateUpdate: validateEvent, selectable: eventFields },
  { allowCreateOnUpdate: true, validateName: nameIsPathSegment, selectablePaths: eventPaths },
);

/** Events of events.k8s.io are the same objects with stricter rules. */
export const newEventStrategy: Strategy = kind<Event>(
  { validate: validateNewEvent, validateUpdate: validateNewEventUpdate, selectable: eventFields },
  {
    allowCreateOnUpdate: true,
    fieldLabels: newEventLabels,
    kindInErrors: () => ({ group: '', kind: 'Event' }),
    selectablePaths: eventPaths,
  },
);

export const limitRangeStrategy: Strategy = kind<LimitRange>(
  { validate: validateLimitRange, validateUpdate: validateLimitRange },
  { allowCreateOnUpdate: true },
);

export const resourceQuotaStrategy: Strategy = kind<ResourceQuota>(
  {
    status: true,
    validate: validateResourceQuota,
    validateUpdate: validateResourceQuotaUpdate,
    warnings: (quota, old) => (old === undefined ? quotaWarnings(quota) : []),
  },
  { returnsDeletedObject: true },
);

export const resourceQuotaStatusStrategy: Strategy = statusStrategy<ResourceQuota>({
  validateUpdate: validateResourceQuotaStatusUpdate,
});

/** Kubelets no longer read their configuration from the API. */
const dynamicConfig = [
  gatedFields('DynamicKubeletConfig', ['spec.configSource']),
  gatedFields('DynamicKubeletConfig', ['status.config']),
];

/** A node may be created with a status, because kubelets register that way. */
export const nodeStrategy: Strategy = kind<Node>({
  gated: dynamicConfig,
  prepareForUpdate: (node, old) => restore(node, old, 'status'),
  validate: validateNode,
  validateUpdate: validateNodeUpdate,
  warnings: nodeWarnings,
  selectable: (node) => ({ 'spec.unschedulable': String(node.spec?.unschedulable ?? false) }),
});

export const nodeStatusStrategy: Strategy = statusStrategy<Node>({
  gated: dynamicConfig,
  validateUpdate: validateNodeStatusUpdate,
});

const SNAPSHOTS = 'snapshot.storage.k8s.io';

export const persistentVolumeClaimStrategy: Strategy = kind<PersistentVolumeClaim>(
  {
    prepareForCreate(claim) {
      claim.status = { phase: 'Pending' };
      dropForeignSource(claim);
      dropUnknownSource(claim);
      copyDataSource(claim);
    },
    prepareForUpdate(claim, old) {
      restore(claim, old, 'status');
      if (old.spec?.dataSourceRef === undefined) dropForeignSource(claim);
      if (old.spec?.dataSource === undefined && old.spec?.dataSourceRef === undefined) dropUnknownSource(claim);
      copyDataSource(claim);
    },
    validate: validatePersistentVolumeClaim,
    validateUpdate: validatePersistentVolumeClaimUpdate,
    warnings: claimWarnings,
  },
  { returnsDeletedObject: true },
);

/** A source in another namespace needs CrossNamespaceVolumeDataSource, which is off by default. */
function dropForeignSource({ spec }: PersistentVolumeClaim): void {
  if (spec?.dataSourceRef?.namespace) delete spec.dataSourceRef;
}

/**
 * A dataSource without dataSourceRef must be a claim or a snapshot; like upstream, any other is dropped silently.
 * Upstream: `EnforceDataSourceBackwardsCompatibility`.
 */
function dropUnknownSource({ spec }: PersistentVolumeClaim): void {
  if (spec?.dataSource === undefined || spec.dataSourceRef !== undefined) return;
  const { apiGroup = '', kind: sourceKind } = spec.dataSource;
  const known = apiGroup === '' ? 'PersistentVolumeClaim' : apiGroup === SNAPSHOTS ? 'VolumeSnapshot' : undefined;
  if (sourceKind !== known) delete spec.dataSource;
}

/** Makes dataSource and dataSourceRef equal, unless the source is in another namespace. */
function copyDataSource(claim: PersistentVolumeClaim): void {
  const { dataSource, dataSourceRef } = claim.spec ?? {};
  if (claim.spec === undefined || dataSourceRef?.namespace) return;
  if (dataSource !== undefined && dataSourceRef === undefined) claim.spec.dataSourceRef = { ...dataSource };
  if (dataSource === undefined && dataSourceRef !== undefined) {
    const { namespace: _, ...local } = dataSourceRef;
    claim.spec.dataSource = local;
  }
}

export const persistentVolumeStrategy: Strategy = kind<PersistentVolume>(
  {
    prepareForCreate(volume, { now }) {
      volume.status = { phase: 'Pending', lastPhaseTransitionTime: formatTime(now) };
    },
    prepareForUpdate: (volume, old) => restore(volume, old, 'status'),
    validate: validatePersistentVolume,
    validateUpdate: validatePersistentVolumeUpdate,
    warnings: volumeWarnings,
    selectable: (volume) => ({ name: volume.metadata.name ?? '' }),
  },
  { returnsDeletedObject: true },
);

export const persistentVolumeStatusStrategy: Strategy = statusStrategy<PersistentVolume>({
  prepare(volume, old, now) {
    const { phase, lastPhaseTransitionTime } = volume.status ?? {};
    const given =
      lastPhaseTransitionTime !== undefined && lastPhaseTransitionTime !== old.status?.lastPhaseTransitionTime;
    if (phase !== old.status?.phase && !given) {
      volume.status = { ...volume.status, lastPhaseTransitionTime: formatTime(now) };
    }
  },
});

export const podTemplateStrategy: Strategy = kind<PodTemplate>(
  {
    desired: (object) => object['template'],
    gated: templateGates('template'),
    validate: (object) => validatePodTemplate(object.template, 'template'),
    validateUpdate: (object) => validatePodTemplate(object.template, 'template'),
    warnings: templateWarnings('template', (object: PodTemplate) => object.template, { named: false }),
  },
  { returnsDeletedObject: true },
);

export const replicationControllerStrategy: Strategy = kind<ReplicationController>(
  {
    status: true,
    desired: spec,
    gated: templateGates('spec.template'),
    validate: validateReplicationController,
    validateUpdate: validateReplicationControllerUpdate,
    warnings: templateWarnings('spec.template', (controller: ReplicationController) => controller.spec?.template, {
      named: true,
    }),
    selectable: (controller) => ({ 'status.replicas': String(controller.status?.replicas ?? 0) }),
  },
  { defaultDeletionPropagation: 'Orphan' },
);
