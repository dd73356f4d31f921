import type {
  ConfigMap,
  Endpoints,
  LimitRange,
  Node,
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
  validateLimitRange,
  validateLimitRangeUpdate,
  validateNode,
  validateNodeStatusUpdate,
  validateNodeUpdate,
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
import { fullNameIsDnsSubdomain, nameIsDnsLabel, validateFinalizerDomains } from '@binnacle/apimachinery/validation';
import type { Strategy } from '../registry/index.js';
import { gatedFields } from './gated-fields.js';
import { kind, restore, spec } from './kind.js';
import { templateGates } from './pod-gates.js';
import { dropInternalPolicy, dropUnusedValues } from './service-fields.js';
import { templateWarnings } from './warnings/pod-warnings.js';
import { nodeWarnings } from './warnings/node-warnings.js';
import { quotaWarnings } from './warnings/quota-warnings.js';
import { serviceWarnings } from './warnings/service-warnings.js';
import { statusStrategy } from './status.js';

// The other kinds of the core group are in files of their own. Upstream: `pkg/registry/core`.

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

export const limitRangeStrategy: Strategy = kind<LimitRange>(
  {
    prepareForCreate({ metadata }) {
      // Upstream gives a nameless one another random UUID.
      metadata.name ||= metadata.uid ?? '';
    },
    validate: validateLimitRange,
    validateUpdate: validateLimitRangeUpdate,
  },
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

export const podTemplateStrategy: Strategy = kind<PodTemplate>(
  {
    desired: (object) => ({ template: object['template'] }),
    gated: templateGates('template'),
    validate: (object) => validatePodTemplate(object.template, 'template'),
    validateUpdate: (object) => [
      ...validateFinalizerDomains(object.metadata?.finalizers, 'metadata.finalizers'),
      ...validatePodTemplate(object.template, 'template'),
    ],
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
  { defaultDeletionPropagation: 'Orphan', validateName: fullNameIsDnsSubdomain },
);
