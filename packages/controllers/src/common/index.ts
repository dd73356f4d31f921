export { type AnyCondition, findCondition, keepTransition, withCondition, withoutCondition } from './conditions.js';
export { revisionHash, revisionName, prepareTemplateHash, templateHash } from './hashes/index.js';
export { scaledValue } from './int-or-percent.js';
export { isNodeReady, nodeReference } from './nodes.js';
export { finishedCondition } from './jobs.js';
export { omitZero } from './omit-zero.js';
export {
  claimable,
  claimObjects,
  controlledBy,
  controllerIndexes,
  controllerReference,
  orphanRequests,
  siblingsOf,
} from './ownership/index.js';
export {
  type ClaimName,
  claimNames,
  claimNamesOfEntries,
  createPod,
  deletePod,
  ephemeralClaimName,
  evictPod,
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
  podFromTemplate,
  podPrefix,
  podsNaming,
  podsOnNode,
  podsToDelete,
  sidecarsOf,
  sidecarStatuses,
  slowStart,
  timeOf,
} from './pods/index.js';
export { type PlannedEvent, recordEvents } from './planned-events.js';
export { planProtection, protect } from './protection.js';
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
export { selectObjects } from './select-objects.js';
export { unlessGone } from './unless-gone.js';
export {
  type CacheSource,
  Expectations,
  isShown,
  LatestObjects,
  type ObservedCache,
  type OwnerContext,
  reconcileOwner,
  Writer,
} from './writes/index.js';
