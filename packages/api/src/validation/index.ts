export { validateCertificateSigningRequest } from './certificate-signing-request.js';
export { validateConfigMap, validateConfigMapUpdate } from './config-map.js';
export { validateControllerRevision, validateControllerRevisionUpdate } from './controller-revision.js';
export { validateCronJob, validateCronJobUpdate } from './cron-job.js';
export { cronScheduleProblem } from './cron-schedule.js';
export { validateDaemonSet, validateDaemonSetUpdate } from './daemon-set.js';
export { validateDeployment, validateDeploymentUpdate } from './deployment.js';
export { validateEndpointSlice, validateEndpointSliceUpdate } from './endpoint-slice.js';
export { validateEndpoints, validateEndpointsUpdate } from './endpoints.js';
export { validateEvent } from './event.js';
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
export { GENERATED_LABELS, validateJob, validateJobUpdate } from './job.js';
export { validateLease } from './lease.js';
export { validateLimitRange } from './limit-range.js';
export {
  validateNamespace,
  validateNamespaceFinalizeUpdate,
  validateNamespaceStatusUpdate,
  validateNamespaceUpdate,
} from './namespace.js';
export { validateNetworkPolicy, validateNetworkPolicyUpdate } from './network-policy.js';
export { validateNode, validateNodeStatusUpdate, validateNodeUpdate } from './node.js';
export { validatePersistentVolume, validatePersistentVolumeUpdate } from './persistent-volume.js';
export { validatePersistentVolumeClaim, validatePersistentVolumeClaimUpdate } from './persistent-volume-claim.js';
export { validatePodDisruptionBudget } from './pod-disruption-budget.js';
export { validatePod } from './pod/pod.js';
export { validatePodSpec } from './pod/pod-spec.js';
export { validatePodTemplate } from './pod/template.js';
export { validatePodStatusUpdate, validatePodUpdate } from './pod/update.js';
export { SYSTEM_PRIORITY_CLASSES, validatePriorityClass, validatePriorityClassUpdate } from './priority-class.js';
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
export { validateSecret, validateSecretUpdate } from './secret.js';
export { validateService, validateServiceUpdate } from './service.js';
export { validateServiceAccountUpdate } from './service-account.js';
export { isHeadless, validateClusterIps } from './service-cluster-ips.js';
export { validateStatefulSet, validateStatefulSetUpdate } from './stateful-set.js';
export { validateStorageClass, validateStorageClassUpdate } from './storage-class.js';
export { unchanging } from './unchanging-specs.js';
