export { inDeletionOrder, podsToDelete } from './deletion-order.js';
export { type EvictionCause, evictPod } from './evict-pod.js';
export { nodeIndexes, nodesWithPods, podsOnNode } from './node-index.js';
export { claimNames, ephemeralClaimName, isClaimOfPod, podClaimIndexes, podsNaming } from './pod-claims.js';
export { createPod, deletePod } from './pod-control.js';
export { podFromTemplate, podPrefix } from './pod-from-template.js';
export {
  isPodActive,
  isPodAvailable,
  isPodReady,
  isPodTerminal,
  isPodTerminating,
  nextAvailability,
  sidecarsOf,
  sidecarStatuses,
  timeOf,
} from './pod-state.js';
export { type ClaimName, claimNamesOfEntries } from './resource-claim-names.js';
export { slowStart } from './slow-start.js';
