export {
  type AffinityTerm,
  type AffinityTerms,
  type NamespaceLabels,
  type SelectedPod,
  selects,
} from './affinity-terms.js';
export { CycleState, StateKey } from './cycle-state.js';
export { inSteps, isSteps, type MaybeSteps } from './in-steps.js';
export { describeNodes, describeRejection } from './describe-nodes.js';
export { NodeState } from './node-state.js';
export {
  type Attempt,
  EXTENSION_POINTS,
  type ExtensionPoint,
  type FilterRunner,
  MAX_NODE_SCORE,
  type NodeScore,
  type NodeStatuses,
  type PermitResult,
  type Plugin,
  type PluginFactory,
  type PostFilterResult,
  type PreFilterResult,
  type QueuedPod,
  type WeightedPlugin,
} from './plugin.js';
export { EXTENDER, type Extender, type ExtenderVerdict, type Victims } from './extender.js';
export { PodFacts } from './pod-facts.js';
export type { ClusterEvent, EventAction, EventInterest, EventResource } from './queueing-hints.js';
export { isCountedResource, type Resources, resourcesOf } from './resources.js';
export type { Snapshot } from './snapshot.js';
export type { StorageView } from './storage-view.js';
export {
  type Code,
  failure,
  isRejected,
  messageOfStatus,
  skip,
  type Status,
  success,
  unresolvable,
  unschedulable,
} from './status.js';
export { inWaitingSteps, type MaybeWaitingSteps, waitFor, type WaitingSteps } from './waiting-steps.js';
