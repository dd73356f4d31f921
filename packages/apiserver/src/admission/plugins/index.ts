export {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  clusterTrustBundleAttest,
  type SignerAuthorizer,
} from './certificates.js';
export { type ClassSource, defaultIngressClass, defaultStorageClass } from './default-class.js';
export { defaultTolerationSeconds } from './default-toleration-seconds.js';
export { type LimitRangeSource, limitRanger } from './limit-ranger.js';
export { type NamespaceSource, namespaceLifecycle } from './namespace-lifecycle.js';
export { nodeDeclaredFeatureValidator } from './node-declared-features.js';
export { nodeRestriction } from './node-restriction/node-restriction.js';
export type { AudienceAuthorizer, NodePodSource } from './node-restriction/token-requests.js';
export {
  alwaysAdmit,
  alwaysDeny,
  alwaysPullImages,
  denyServiceExternalIPs,
  extendedResourceToleration,
  type NamespaceCreator,
  namespaceAutoProvision,
  namespaceExists,
} from './optional.js';
export { persistentVolumeClaimResize, type StorageClassSource } from './persistent-volume-claim-resize.js';
export { podResizeValidator } from './pod-resize.js';
export { podSecurity, type PodSecuritySource } from './pod-security/pod-security.js';
export { type NodeSource, podTopologyLabels } from './pod-topology-labels.js';
export { type PriorityClassSource, priority } from './priority.js';
export { resourceQuota, type ResourceQuotaSource } from './quota/resource-quota.js';
export { runtimeClass, type RuntimeClassSource } from './runtime-class.js';
export { type Retries, type ServiceAccountSource, serviceAccount } from './service-account.js';
export { storageObjectInUseProtection } from './storage-object-in-use-protection.js';
export { taintNodesByCondition } from './taint-nodes-by-condition.js';
