export {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  clusterTrustBundleAttest,
  mayForSigner,
  type SignerAuthorizer,
} from './certificates.js';
export { type ClassSource, defaultIngressClass, defaultStorageClass } from './default-class.js';
export { defaultTolerationSeconds } from './default-toleration-seconds.js';
export { EVENT_LIMIT_TYPES, type EventLimit, eventRateLimit } from './event-rate-limit.js';
export { type ImageReviewer, type ImageReviewSpec, type ImageVerdict, imagePolicyWebhook } from './image-policy.js';
export { type LimitRangeSource, limitRanger } from './limit-ranger.js';
export { type CurrentNamespaceSource, type NamespaceSource, namespaceLifecycle } from './namespace-lifecycle.js';
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
export { type ObjectRight, ownerReferencesPermissionEnforcement, type OwnerRights } from './owner-references.js';
export { persistentVolumeClaimResize, type StorageClassSource } from './persistent-volume-claim-resize.js';
export { limitPodHardAntiAffinityTopology } from './pod-anti-affinity.js';
export { podNodeSelector } from './pod-node-selector.js';
export { podResizeValidator } from './pod-resize.js';
export type { JudgedRequest, PodSecurityObserver } from './pod-security/observer.js';
export type { PodSecuritySettings } from './pod-security/exemptions.js';
export { podSecurity, type PodSecuritySource } from './pod-security/pod-security.js';
export {
  LATEST as LATEST_VERSION,
  LEVEL_FAULT,
  type LevelVersion,
  MODES as POD_SECURITY_MODES,
  parseLevel,
  parseMinor,
  VERSION_FAULT,
} from './pod-security/policy.js';
export { podTolerationRestriction, type TolerationSettings } from './pod-toleration-restriction.js';
export { type NodeSource, podTopologyLabels } from './pod-topology-labels.js';
export { type PriorityClassSource, priority } from './priority.js';
export type { LimitedResource } from './quota/limited-resources.js';
export { resourceQuota, type ResourceQuotaSource } from './quota/resource-quota.js';
export { runtimeClass, type RuntimeClassSource } from './runtime-class.js';
export { type Retries, type ServiceAccountSource, serviceAccount } from './service-account.js';
export { storageObjectInUseProtection } from './storage-object-in-use-protection.js';
export { taintNodesByCondition } from './taint-nodes-by-condition.js';
