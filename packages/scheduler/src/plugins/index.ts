export { defaultBinder, type WriteBinding } from './default-binder.js';
export {
  defaultChoices,
  defaultPlugins,
  makePlugins,
  type PluginArgs,
  type PluginChoice,
  type PluginParts,
} from './default-plugins.js';
export { defaultPreemption } from './default-preemption.js';
export type { ClaimUse, DeviceManager, PreparationPlace } from './device-manager.js';
export { dynamicResources } from './dynamic-resources.js';
export { imageLocality } from './image-locality.js';
export { interPodAffinity } from './inter-pod-affinity.js';
export { nodeAffinity } from './node-affinity.js';
export { nodeName } from './node-name.js';
export { nodePorts } from './node-ports.js';
export { nodeResourcesBalancedAllocation } from './node-resources-balanced-allocation.js';
export { nodeResourcesFit } from './node-resources-fit.js';
export { type ScoringStrategy, type WeightedResource, scoredByDefault } from './scoring-strategy.js';
export { nodeUnschedulable } from './node-unschedulable.js';
export { podTopologySpread } from './pod-topology-spread.js';
export { prioritySort } from './priority-sort.js';
export { schedulingGates } from './scheduling-gates.js';
export { taintToleration } from './taint-toleration.js';
export { nodeDeclaredFeatures } from './node-declared-features.js';
export { nodeVolumeLimits } from './node-volume-limits.js';
export {
  type BindingPlace,
  isBound,
  volumeBinding,
  type VolumeBinder,
  type VolumeBindingArgs,
} from './volume-binding.js';
export type { VolumePlan } from './volume-plan.js';
export { notFound } from './pod-claims.js';
export { volumeRestrictions } from './volume-restrictions.js';
export { volumeZone } from './volume-zone.js';
