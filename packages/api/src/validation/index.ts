export { validateAPIService, validateAPIServiceStatusUpdate, validateAPIServiceUpdate } from './api-service.js';
export {
  validateCertificateSigningRequest,
  validateCertificateSigningRequestApprovalUpdate,
  validateCertificateSigningRequestStatusUpdate,
  validateCertificateSigningRequestUpdate,
} from './certificates/certificate-signing-request.js';
export { validateClusterTrustBundle, validateClusterTrustBundleUpdate } from './certificates/cluster-trust-bundle.js';
export {
  validatePodCertificateRequest,
  validatePodCertificateRequestUpdate,
} from './certificates/pod-certificate-request.js';
export {
  isSamePodCertificateStatus,
  validatePodCertificateRequestStatusUpdate,
} from './certificates/pod-certificate-status.js';
export { validateConfigMap, validateConfigMapUpdate } from './core/config-map.js';
export { validateControllerRevision, validateControllerRevisionUpdate } from './workloads/controller-revision.js';
export { validateCronJob, validateCronJobUpdate } from './workloads/cron-job.js';
export { validateCSIDriver, validateCSIDriverUpdate } from './storage/csi-driver.js';
export { validateCSINode, validateCSINodeUpdate } from './storage/csi-node.js';
export { validateCSIStorageCapacity, validateCSIStorageCapacityUpdate } from './storage/csi-storage-capacity.js';
export { validateDaemonSet, validateDaemonSetUpdate } from './workloads/daemon-set.js';
export { validateDeployment, validateDeploymentUpdate } from './workloads/deployment.js';
export {
  endpointSliceWarnings,
  validateEndpointSlice,
  validateEndpointSliceUpdate,
} from './networking/endpoint-slice.js';
export { validateEndpoints, validateEndpointsUpdate } from './networking/endpoints.js';
export { validateEvent, validateNewEvent, validateNewEventUpdate } from './core/event.js';
export {
  validateFlowSchema,
  validateFlowSchemaStatusUpdate,
  validateFlowSchemaUpdate,
} from './flowcontrol/flow-schema.js';
export {
  validateHorizontalPodAutoscaler,
  validateHorizontalPodAutoscalerUpdate,
} from './workloads/horizontal-pod-autoscaler.js';
export {
  validateIngress,
  validateIngressClass,
  validateIngressClassUpdate,
  validateIngressUpdate,
} from './networking/ingress.js';
export { ipAddressName, validateIPAddress, validateIPAddressUpdate } from './networking/ip-address.js';
export { validateNodeSelector } from './pod/affinity.js';
export { validateTolerations } from './pod/scheduling.js';
export { isExtendedResource } from './quantities.js';
export { GENERATED_LABELS, validateJob, validateJobUpdate } from './workloads/job.js';
export { validateJobStatusUpdate } from './workloads/job-status.js';
export { validateLease } from './lease.js';
export { validateLimitRange, validateLimitRangeUpdate } from './core/limit-range.js';
export { validateIngressStatusUpdate, validateServiceStatusUpdate } from './networking/load-balancer-status.js';
export {
  validateNamespace,
  validateNamespaceFinalizeUpdate,
  validateNamespaceStatusUpdate,
  validateNamespaceUpdate,
} from './core/namespace.js';
export {
  networkPolicyWarnings,
  validateNetworkPolicy,
  validateNetworkPolicyUpdate,
} from './networking/network-policy.js';
export { validateNode, validateNodeStatusUpdate, validateNodeUpdate } from './core/node.js';
export {
  validatePersistentVolumeClaim,
  validatePersistentVolumeClaimStatusUpdate,
  validatePersistentVolumeClaimUpdate,
} from './volumes/persistent-volume-claim.js';
export { validatePersistentVolume, validatePersistentVolumeUpdate } from './storage/persistent-volume.js';
export { validatePodDisruptionBudget } from './workloads/pod-disruption-budget.js';
export { validatePod, validatePodInSteps } from './pod/pod.js';
export { validateAppArmorProfile } from './pod/security-context.js';
export { validatePodTemplate } from './pod/template.js';
export { validatePodEphemeralContainersUpdate } from './pod/ephemeral-containers.js';
export { validatePodResize } from './pod/resize.js';
export { validatePodStatusUpdate } from './pod/status.js';
export { validatePodUpdate, validatePodUpdateInSteps } from './pod/update.js';
export { SYSTEM_PRIORITY_CLASSES, validatePriorityClass, validatePriorityClassUpdate } from './priority-class.js';
export {
  validatePriorityLevelConfiguration,
  validatePriorityLevelConfigurationStatusUpdate,
  validatePriorityLevelConfigurationUpdate,
} from './flowcontrol/priority-level-configuration.js';
export { MANDATORY_FLOW_SCHEMAS, MANDATORY_PRIORITY_LEVELS } from './flowcontrol/mandatory-objects.js';
export {
  rbacName,
  validateClusterRole,
  validateClusterRoleBinding,
  validateClusterRoleBindingUpdate,
  validateClusterRoleUpdate,
  validateRole,
  validateRoleBinding,
  validateRoleBindingUpdate,
  validateRoleUpdate,
} from './rbac.js';
export { validateReplicaSet, validateReplicaSetUpdate } from './workloads/replica-set.js';
export {
  validateReplicationController,
  validateReplicationControllerUpdate,
} from './workloads/replication-controller.js';
export {
  validateResourceQuota,
  validateResourceQuotaStatusUpdate,
  validateResourceQuotaUpdate,
} from './core/resource-quota.js';
export { validateRuntimeClass, validateRuntimeClassUpdate } from './runtime-class.js';
export { validateSecret, validateSecretUpdate } from './core/secret.js';
export { validateServiceAccountUpdate } from './core/service-account.js';
export { validateServiceCIDR, validateServiceCIDRUpdate } from './networking/service-cidr.js';
export { validateClusterIps } from './networking/service-cluster-ips.js';
export { validateService, validateServiceUpdate } from './networking/service.js';
export { validateStatefulSet, validateStatefulSetUpdate } from './workloads/stateful-set.js';
export { validateStorageClass, validateStorageClassUpdate } from './storage/storage-class.js';
export {
  validateStorageVersionMigration,
  validateStorageVersionMigrationStatusUpdate,
  validateStorageVersionMigrationUpdate,
} from './storage-version-migration.js';
export { validateVolumeAttachment, validateVolumeAttachmentUpdate } from './storage/volume-attachment.js';
export {
  validateVolumeAttributesClass,
  validateVolumeAttributesClassUpdate,
} from './storage/volume-attributes-class.js';
export {
  validateDaemonSetStatusUpdate,
  validateDeploymentStatusUpdate,
  validateHorizontalPodAutoscalerStatusUpdate,
  validatePodDisruptionBudgetStatusUpdate,
  validateReplicaSetStatusUpdate,
  validateReplicationControllerStatusUpdate,
  validateStatefulSetStatusUpdate,
} from './workloads/status.js';
