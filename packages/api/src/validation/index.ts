export { validateMutatingAdmissionPolicy, validateMutatingAdmissionPolicyUpdate } from './admission/mutating-policy.js';
export {
  validateMutatingAdmissionPolicyBinding,
  validateMutatingAdmissionPolicyBindingUpdate,
  validateValidatingAdmissionPolicyBinding,
  validateValidatingAdmissionPolicyBindingUpdate,
} from './admission/policy-binding.js';
export {
  validateValidatingAdmissionPolicy,
  validateValidatingAdmissionPolicyStatusUpdate,
  validateValidatingAdmissionPolicyUpdate,
} from './admission/policy.js';
export { validateWebhookConfiguration, validateWebhookConfigurationUpdate } from './admission/webhook-configuration.js';
export { validateAPIService, validateAPIServiceStatusUpdate, validateAPIServiceUpdate } from './api-service.js';
export {
  validateCertificateSigningRequest,
  validateCertificateSigningRequestApprovalUpdate,
  validateCertificateSigningRequestStatusUpdate,
  validateCertificateSigningRequestUpdate,
} from './certificate-signing-request.js';
export { type CertificateRequest, readCertificateRequest } from './certificates/certificate-request.js';
export { validateClusterTrustBundle, validateClusterTrustBundleUpdate } from './cluster-trust-bundle.js';
export { validateConfigMap, validateConfigMapUpdate } from './config-map.js';
export { validateControllerRevision, validateControllerRevisionUpdate } from './controller-revision.js';
export { validateCronJob, validateCronJobUpdate } from './cron-job.js';
export { cronScheduleProblem } from './cron-schedule.js';
export { validateCSIDriver, validateCSIDriverUpdate } from './csi-driver.js';
export { validateCSINode, validateCSINodeUpdate } from './csi-node.js';
export { validateCSIStorageCapacity, validateCSIStorageCapacityUpdate } from './csi-storage-capacity.js';
export { validateDaemonSet, validateDaemonSetUpdate } from './daemon-set.js';
export { validateDeployment, validateDeploymentUpdate } from './deployment.js';
export { allocatedDeviceKey, validateResourceClaimStatusUpdate } from './devices/claim-status.js';
export {
  validateResourceClaim,
  validateResourceClaimTemplate,
  validateResourceClaimTemplateUpdate,
  validateResourceClaimUpdate,
} from './devices/claim.js';
export { validateDeviceClass, validateDeviceClassUpdate } from './devices/device-class.js';
export { validateResourceSlice, validateResourceSliceUpdate } from './devices/resource-slice.js';
export { endpointSliceWarnings, validateEndpointSlice, validateEndpointSliceUpdate } from './endpoint-slice.js';
export { validateEndpoints, validateEndpointsUpdate } from './endpoints.js';
export { validateEvent, validateNewEvent, validateNewEventUpdate } from './event.js';
export { validateFlowSchema, validateFlowSchemaStatusUpdate, validateFlowSchemaUpdate } from './flow-schema.js';
export {
  validateHorizontalPodAutoscaler,
  validateHorizontalPodAutoscalerUpdate,
} from './horizontal-pod-autoscaler.js';
export {
  validateIngress,
  validateIngressClass,
  validateIngressClassUpdate,
  validateIngressUpdate,
} from './ingress.js';
export { ipAddressName, validateIPAddress, validateIPAddressUpdate } from './ip-address.js';
export { GENERATED_LABELS, validateJob, validateJobUpdate } from './job.js';
export { validateJobStatusUpdate } from './job-status.js';
export { validateLease } from './lease.js';
export { validateLimitRange } from './limit-range.js';
export { validateIngressStatusUpdate, validateServiceStatusUpdate } from './load-balancer-status.js';
export {
  validateNamespace,
  validateNamespaceFinalizeUpdate,
  validateNamespaceStatusUpdate,
  validateNamespaceUpdate,
} from './namespace.js';
export { networkPolicyWarnings, validateNetworkPolicy, validateNetworkPolicyUpdate } from './network-policy.js';
export { validateNode, validateNodeStatusUpdate, validateNodeUpdate } from './node.js';
export {
  validatePersistentVolumeClaim,
  validatePersistentVolumeClaimStatusUpdate,
  validatePersistentVolumeClaimUpdate,
} from './persistent-volume-claim.js';
export { validatePersistentVolume, validatePersistentVolumeUpdate } from './persistent-volume.js';
export { validatePodDisruptionBudget } from './pod-disruption-budget.js';
export { validatePodSpec } from './pod/pod-spec.js';
export { validatePod } from './pod/pod.js';
export { validateAppArmorProfile } from './pod/security-context.js';
export { validatePodTemplate } from './pod/template.js';
export { validatePodEphemeralContainersUpdate, validatePodResize } from './pod/resize.js';
export { validatePodStatusUpdate } from './pod/status.js';
export { validatePodUpdate } from './pod/update.js';
export { SYSTEM_PRIORITY_CLASSES, validatePriorityClass, validatePriorityClassUpdate } from './priority-class.js';
export {
  validatePriorityLevelConfiguration,
  validatePriorityLevelConfigurationStatusUpdate,
  validatePriorityLevelConfigurationUpdate,
} from './priority-level-configuration.js';
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
export { validateReplicaSet, validateReplicaSetUpdate } from './replica-set.js';
export { validateReplicationController, validateReplicationControllerUpdate } from './replication-controller.js';
export {
  validateResourceQuota,
  validateResourceQuotaStatusUpdate,
  validateResourceQuotaUpdate,
} from './resource-quota.js';
export { validateRuntimeClass, validateRuntimeClassUpdate } from './runtime-class.js';
export { validateSecret, validateSecretUpdate } from './secret.js';
export { validateServiceAccountUpdate } from './service-account.js';
export { validateServiceCIDR, validateServiceCIDRUpdate } from './service-cidr.js';
export { isHeadless, validateClusterIps } from './service-cluster-ips.js';
export { validateService, validateServiceUpdate } from './service.js';
export { validateStatefulSet, validateStatefulSetUpdate } from './stateful-set.js';
export { validateStorageClass, validateStorageClassUpdate } from './storage-class.js';
export { validateVolumeAttachment, validateVolumeAttachmentUpdate } from './volume-attachment.js';
export { validateVolumeAttributesClass, validateVolumeAttributesClassUpdate } from './volume-attributes-class.js';
export {
  validateDaemonSetStatusUpdate,
  validateDeploymentStatusUpdate,
  validateHorizontalPodAutoscalerStatusUpdate,
  validatePodDisruptionBudgetStatusUpdate,
  validateReplicaSetStatusUpdate,
  validateReplicationControllerStatusUpdate,
  validateStatefulSetStatusUpdate,
} from './workload-status.js';
