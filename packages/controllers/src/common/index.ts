export { type AnyCondition, findCondition, keepTransition, withCondition, withoutCondition } from './conditions.js';
export { fnv32, fnv32a, revisionHash, revisionName, safeEncode, templateHash } from './hashes/index.js';
export { scaledValue } from './int-or-percent.js';
export { messageOf } from './message-of.js';
export { finishedCondition } from './jobs.js';
export { omitZero } from './omit-zero.js';
export {
  claimable,
  claimObjects,
  type ClaimOptions,
  type Claims,
  claimsOf,
  controlledBy,
  controllerIndexes,
  controllerReference,
  orphanRequests,
  orphansIn,
  siblingsOf,
} from './ownership/index.js';
export {
  type Batches,
  claimNames,
  createPod,
  deletePod,
  ephemeralClaimName,
  inDeletionOrder,
  isClaimOfPod,
  isPodActive,
  isPodAvailable,
  isPodReady,
  isPodTerminal,
  isPodTerminating,
  nextAvailability,
  nodeIndexes,
  nodesWithPods,
  podClaimIndexes,
  type PodControl,
  podFromTemplate,
  podPrefix,
  podsNaming,
  podsOnNode,
  podsToDelete,
  readySince,
  sidecarsOf,
  sidecarStatuses,
  slowStart,
  timeOf,
} from './pods/index.js';
export { type PlannedEvent, recordEvents } from './planned-events.js';
export { planProtection, protect, type Protection, type ProtectionPlan } from './protection.js';
export {
  createRevision,
  expiredRevisions,
  hasData,
  nextRevision,
  restores,
  revisionData,
  revisionText,
  sortRevisions,
  templateOfRevision,
} from './revisions/index.js';
export { requeue } from './requeue.js';
export { hasLabels, selectorOf, selectorOfMap, selectorText } from './selectors.js';
export { isTolerated, tolerates } from './taints.js';
export {
  type CacheSource,
  Expectations,
  isAtLeast,
  type ObservedCache,
  type OwnerContext,
  type OwnerOptions,
  reconcileOwner,
  Writer,
  type WriterOptions,
} from './writes/index.js';
