import type { Strategy } from '../registry/index.js';
import {
  mutatingAdmissionPolicyBindingStrategy,
  mutatingAdmissionPolicyStrategy,
  validatingAdmissionPolicyBindingStrategy,
  validatingAdmissionPolicyStatusStrategy,
  validatingAdmissionPolicyStrategy,
  webhookConfigurationStrategy,
} from './admission.js';
import {
  certificateApprovalStrategy,
  certificateSigningRequestStrategy,
  certificateStatusStrategy,
  clusterTrustBundleStrategy,
  clusterRoleBindingStrategy,
  clusterRoleStrategy,
  podCertificateRequestStrategy,
  podCertificateStatusStrategy,
  roleBindingStrategy,
  roleStrategy,
} from './access.js';
import {
  configMapStrategy,
  endpointsStrategy,
  limitRangeStrategy,
  nodeStatusStrategy,
  nodeStrategy,
  podTemplateStrategy,
  replicationControllerStrategy,
  resourceQuotaStatusStrategy,
  resourceQuotaStrategy,
  secretStrategy,
  serviceAccountStrategy,
  serviceStrategy,
} from './core.js';
import { eventStrategy, newEventStrategy } from './events.js';
import { namespaceFinalizeStrategy, namespaceStatusStrategy, namespaceStrategy } from './namespaces.js';
import {
  persistentVolumeClaimStrategy,
  persistentVolumeStatusStrategy,
  persistentVolumeStrategy,
} from './persistent-volumes.js';
import {
  deviceClassStrategy,
  resourceClaimStatusStrategy,
  resourceClaimStrategy,
  resourceClaimTemplateStrategy,
  resourceSliceStrategy,
} from './devices.js';
import { customResourceDefinitionStatusStrategy, customResourceDefinitionStrategy } from './definition.js';
import {
  endpointSliceStrategy,
  ingressClassStrategy,
  ingressStrategy,
  ipAddressStrategy,
  networkPolicyStrategy,
  serviceCidrStrategy,
} from './networking.js';
import { podEphemeralContainersStrategy, podResizeStrategy, podStatusStrategy, podStrategy } from './pod.js';
import { apiServiceStatusStrategy, apiServiceStrategy } from './apiregistration.js';
import { horizontalPodAutoscalerStrategy } from './autoscaling.js';
import { leaseStrategy } from './coordination.js';
import {
  flowSchemaStatusStrategy,
  flowSchemaStrategy,
  priorityLevelConfigurationStatusStrategy,
  priorityLevelConfigurationStrategy,
} from './flowcontrol.js';
import { podDisruptionBudgetStrategy } from './policy.js';
import { priorityClassStrategy } from './scheduling.js';
import { statusStrategy } from './status.js';
import { checkedStatuses } from './statuses.js';
import {
  csiDriverStrategy,
  csiNodeStrategy,
  csiStorageCapacityStrategy,
  runtimeClassStrategy,
  storageClassStrategy,
  storageVersionMigrationStatusStrategy,
  storageVersionMigrationStrategy,
  volumeAttachmentStatusStrategy,
  volumeAttachmentStrategy,
  volumeAttributesClassStrategy,
} from './storage.js';
import {
  controllerRevisionStrategy,
  cronJobStrategy,
  daemonSetStrategy,
  deploymentStrategy,
  jobStrategy,
  replicaSetStrategy,
  statefulSetStrategy,
} from './workloads.js';

/** By `resource` in the core group, `resource.group` in the others. */
export const strategies: ReadonlyMap<string, Strategy> = new Map([
  ['configmaps', configMapStrategy],
  ['endpoints', endpointsStrategy],
  ['events', eventStrategy],
  ['events.events.k8s.io', newEventStrategy],
  ['limitranges', limitRangeStrategy],
  ['namespaces', namespaceStrategy],
  ['nodes', nodeStrategy],
  ['persistentvolumeclaims', persistentVolumeClaimStrategy],
  ['persistentvolumes', persistentVolumeStrategy],
  ['pods', podStrategy],
  ['podtemplates', podTemplateStrategy],
  ['replicationcontrollers', replicationControllerStrategy],
  ['resourcequotas', resourceQuotaStrategy],
  ['secrets', secretStrategy],
  ['serviceaccounts', serviceAccountStrategy],
  ['services', serviceStrategy],
  ['mutatingadmissionpolicies.admissionregistration.k8s.io', mutatingAdmissionPolicyStrategy],
  ['mutatingadmissionpolicybindings.admissionregistration.k8s.io', mutatingAdmissionPolicyBindingStrategy],
  ['mutatingwebhookconfigurations.admissionregistration.k8s.io', webhookConfigurationStrategy],
  ['validatingadmissionpolicies.admissionregistration.k8s.io', validatingAdmissionPolicyStrategy],
  ['validatingadmissionpolicybindings.admissionregistration.k8s.io', validatingAdmissionPolicyBindingStrategy],
  ['validatingwebhookconfigurations.admissionregistration.k8s.io', webhookConfigurationStrategy],
  ['apiservices.apiregistration.k8s.io', apiServiceStrategy],
  ['customresourcedefinitions.apiextensions.k8s.io', customResourceDefinitionStrategy],
  ['controllerrevisions.apps', controllerRevisionStrategy],
  ['daemonsets.apps', daemonSetStrategy],
  ['deployments.apps', deploymentStrategy],
  ['replicasets.apps', replicaSetStrategy],
  ['statefulsets.apps', statefulSetStrategy],
  ['horizontalpodautoscalers.autoscaling', horizontalPodAutoscalerStrategy],
  ['cronjobs.batch', cronJobStrategy],
  ['jobs.batch', jobStrategy],
  ['certificatesigningrequests.certificates.k8s.io', certificateSigningRequestStrategy],
  ['clustertrustbundles.certificates.k8s.io', clusterTrustBundleStrategy],
  ['podcertificaterequests.certificates.k8s.io', podCertificateRequestStrategy],
  ['leases.coordination.k8s.io', leaseStrategy],
  ['endpointslices.discovery.k8s.io', endpointSliceStrategy],
  ['flowschemas.flowcontrol.apiserver.k8s.io', flowSchemaStrategy],
  ['prioritylevelconfigurations.flowcontrol.apiserver.k8s.io', priorityLevelConfigurationStrategy],
  ['ingressclasses.networking.k8s.io', ingressClassStrategy],
  ['ingresses.networking.k8s.io', ingressStrategy],
  ['ipaddresses.networking.k8s.io', ipAddressStrategy],
  ['networkpolicies.networking.k8s.io', networkPolicyStrategy],
  ['servicecidrs.networking.k8s.io', serviceCidrStrategy],
  ['runtimeclasses.node.k8s.io', runtimeClassStrategy],
  ['poddisruptionbudgets.policy', podDisruptionBudgetStrategy],
  ['clusterrolebindings.rbac.authorization.k8s.io', clusterRoleBindingStrategy],
  ['clusterroles.rbac.authorization.k8s.io', clusterRoleStrategy],
  ['rolebindings.rbac.authorization.k8s.io', roleBindingStrategy],
  ['roles.rbac.authorization.k8s.io', roleStrategy],
  ['deviceclasses.resource.k8s.io', deviceClassStrategy],
  ['resourceclaims.resource.k8s.io', resourceClaimStrategy],
  ['resourceclaimtemplates.resource.k8s.io', resourceClaimTemplateStrategy],
  ['resourceslices.resource.k8s.io', resourceSliceStrategy],
  ['priorityclasses.scheduling.k8s.io', priorityClassStrategy],
  ['csidrivers.storage.k8s.io', csiDriverStrategy],
  ['csinodes.storage.k8s.io', csiNodeStrategy],
  ['csistoragecapacities.storage.k8s.io', csiStorageCapacityStrategy],
  ['storageclasses.storage.k8s.io', storageClassStrategy],
  ['volumeattachments.storage.k8s.io', volumeAttachmentStrategy],
  ['volumeattributesclasses.storage.k8s.io', volumeAttributesClassStrategy],
  ['storageversionmigrations.storagemigration.k8s.io', storageVersionMigrationStrategy],
]);

const keepingMetadata = statusStrategy({ keeps: 'metadata' });
/** Upstream validates nothing, not even the finalizers. */
const unchecked = statusStrategy({ validateUpdate: () => [] });

/** Subresources with write rules of their own: `resource.group/subresource`. */
export const subresourceStrategies: ReadonlyMap<string, Strategy> = new Map([
  ...checkedStatuses,
  ['namespaces/finalize', namespaceFinalizeStrategy],
  ['namespaces/status', namespaceStatusStrategy],
  ['nodes/status', nodeStatusStrategy],
  ['persistentvolumes/status', persistentVolumeStatusStrategy],
  ['pods/ephemeralcontainers', podEphemeralContainersStrategy],
  ['pods/resize', podResizeStrategy],
  ['pods/status', podStatusStrategy],
  ['resourcequotas/status', resourceQuotaStatusStrategy],
  ['certificatesigningrequests.certificates.k8s.io/approval', certificateApprovalStrategy],
  ['certificatesigningrequests.certificates.k8s.io/status', certificateStatusStrategy],
  ['podcertificaterequests.certificates.k8s.io/status', podCertificateStatusStrategy],
  ['customresourcedefinitions.apiextensions.k8s.io/status', customResourceDefinitionStatusStrategy],
  ['apiservices.apiregistration.k8s.io/status', apiServiceStatusStrategy],
  ['flowschemas.flowcontrol.apiserver.k8s.io/status', flowSchemaStatusStrategy],
  ['prioritylevelconfigurations.flowcontrol.apiserver.k8s.io/status', priorityLevelConfigurationStatusStrategy],
  ['resourceclaims.resource.k8s.io/status', resourceClaimStatusStrategy],
  ['cronjobs.batch/status', unchecked],
  ['servicecidrs.networking.k8s.io/status', keepingMetadata],
  ['storageversionmigrations.storagemigration.k8s.io/status', storageVersionMigrationStatusStrategy],
  ['validatingadmissionpolicies.admissionregistration.k8s.io/status', validatingAdmissionPolicyStatusStrategy],
  ['volumeattachments.storage.k8s.io/status', volumeAttachmentStatusStrategy],
]);
