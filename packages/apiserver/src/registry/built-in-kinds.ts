import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from '@binnacle/api/types/admissionregistration-v1';
import type {
  Endpoints,
  LimitRange,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount,
} from '@binnacle/api/types/core-v1';
import type { EndpointSlice } from '@binnacle/api/types/discovery-v1';
import type { IngressClass, IPAddress, ServiceCIDR } from '@binnacle/api/types/networking-v1';
import type { RuntimeClass } from '@binnacle/api/types/node-v1';
import type { PodDisruptionBudget } from '@binnacle/api/types/policy-v1';
import type { ResourceSlice } from '@binnacle/api/types/resource-v1';
import type { PriorityClass } from '@binnacle/api/types/scheduling-v1';
import type { CSIDriver, StorageClass, VolumeAttachment } from '@binnacle/api/types/storage-v1';
import type { ResourceOf } from './stores.js';

/** The kinds that the server's own rules read. */
export const ENDPOINTS: ResourceOf<Endpoints> = { group: '', resource: 'endpoints' };
export const LIMIT_RANGES: ResourceOf<LimitRange> = { group: '', resource: 'limitranges' };
export const NAMESPACES: ResourceOf<Namespace> = { group: '', resource: 'namespaces' };
export const NODES: ResourceOf<Node> = { group: '', resource: 'nodes' };
export const PERSISTENT_VOLUMES: ResourceOf<PersistentVolume> = { group: '', resource: 'persistentvolumes' };
export const PERSISTENT_VOLUME_CLAIMS: ResourceOf<PersistentVolumeClaim> = {
  group: '',
  resource: 'persistentvolumeclaims',
};
export const PODS: ResourceOf<Pod> = { group: '', resource: 'pods' };
export const RESOURCE_QUOTAS: ResourceOf<ResourceQuota> = { group: '', resource: 'resourcequotas' };
export const SECRETS: ResourceOf<Secret> = { group: '', resource: 'secrets' };
export const SERVICES: ResourceOf<Service> = { group: '', resource: 'services' };
export const SERVICE_ACCOUNTS: ResourceOf<ServiceAccount> = { group: '', resource: 'serviceaccounts' };
export const ENDPOINT_SLICES: ResourceOf<EndpointSlice> = { group: 'discovery.k8s.io', resource: 'endpointslices' };
export const MUTATING_ADMISSION_POLICIES: ResourceOf<MutatingAdmissionPolicy> = {
  group: 'admissionregistration.k8s.io',
  resource: 'mutatingadmissionpolicies',
};
export const MUTATING_ADMISSION_POLICY_BINDINGS: ResourceOf<MutatingAdmissionPolicyBinding> = {
  group: 'admissionregistration.k8s.io',
  resource: 'mutatingadmissionpolicybindings',
};
export const VALIDATING_ADMISSION_POLICIES: ResourceOf<ValidatingAdmissionPolicy> = {
  group: 'admissionregistration.k8s.io',
  resource: 'validatingadmissionpolicies',
};
export const VALIDATING_ADMISSION_POLICY_BINDINGS: ResourceOf<ValidatingAdmissionPolicyBinding> = {
  group: 'admissionregistration.k8s.io',
  resource: 'validatingadmissionpolicybindings',
};
export const MUTATING_WEBHOOK_CONFIGURATIONS: ResourceOf<MutatingWebhookConfiguration> = {
  group: 'admissionregistration.k8s.io',
  resource: 'mutatingwebhookconfigurations',
};
export const VALIDATING_WEBHOOK_CONFIGURATIONS: ResourceOf<ValidatingWebhookConfiguration> = {
  group: 'admissionregistration.k8s.io',
  resource: 'validatingwebhookconfigurations',
};
export const INGRESS_CLASSES: ResourceOf<IngressClass> = { group: 'networking.k8s.io', resource: 'ingressclasses' };
export const IP_ADDRESSES: ResourceOf<IPAddress> = { group: 'networking.k8s.io', resource: 'ipaddresses' };
export const SERVICE_CIDRS: ResourceOf<ServiceCIDR> = { group: 'networking.k8s.io', resource: 'servicecidrs' };
export const RUNTIME_CLASSES: ResourceOf<RuntimeClass> = { group: 'node.k8s.io', resource: 'runtimeclasses' };
export const POD_DISRUPTION_BUDGETS: ResourceOf<PodDisruptionBudget> = {
  group: 'policy',
  resource: 'poddisruptionbudgets',
};
export const RESOURCE_SLICES: ResourceOf<ResourceSlice> = { group: 'resource.k8s.io', resource: 'resourceslices' };
export const PRIORITY_CLASSES: ResourceOf<PriorityClass> = { group: 'scheduling.k8s.io', resource: 'priorityclasses' };
export const CSI_DRIVERS: ResourceOf<CSIDriver> = { group: 'storage.k8s.io', resource: 'csidrivers' };
export const STORAGE_CLASSES: ResourceOf<StorageClass> = { group: 'storage.k8s.io', resource: 'storageclasses' };
export const VOLUME_ATTACHMENTS: ResourceOf<VolumeAttachment> = {
  group: 'storage.k8s.io',
  resource: 'volumeattachments',
};
