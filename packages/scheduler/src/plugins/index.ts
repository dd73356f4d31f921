export { defaultBinder, type WriteBinding } from './default-binder.js';
export {
  defaultChoices,
  defaultPlugins,
  makePlugins,
  type PluginArgs,
  type PluginChoice,
  type PluginParts,
} from './default-plugins.js';
export { defaultPreemption } from './preemption/default-preemption.js';
export type { ClaimUse, DeviceManager, PreparationPlace } from './devices/device-manager.js';
export { dynamicResources } from './devices/dynamic-resources.js';
export { CLASS_PREFIX } from './devices/extended-requests.js';
export { imageLocality } from './nodes/image-locality.js';
export { interPodAffinity } from './topology/inter-pod-affinity.js';
export { nodeAffinity } from './nodes/node-affinity.js';
export { nodeName } from './nodes/node-name.js';
export { nodePorts } from './nodes/node-ports.js';
export { nodeResourcesBalancedAllocation } from './resources/node-resources-balanced-allocation.js';
export { nodeResourcesFit } from './resources/node-resources-fit.js';
export { type ScoringStrategy, type WeightedResource, scoredByDefault } from './resources/scoring-strategy.js';
export { nodeUnschedulable } from './nodes/node-unschedulable.js';
export { podTopologySpread } from './topology/pod-topology-spread.js';
export { prioritySort } from './priority-sort.js';
export { schedulingGates } from './scheduling-gates.js';
export { taintToleration } from './nodes/taint-toleration.js';
export { nodeDeclaredFeatures } from './nodes/node-declared-features.js';
export { nodeVolumeLimits } from './volumes/node-volume-limits.js';
export {
  type BindingPlace,
  isBound,
  volumeBinding,
  type VolumeBinder,
  type VolumeBindingArgs,
} from './volumes/volume-binding.js';
export type { VolumePlan } from './volumes/volume-plan.js';
export { notFound } from './volumes/pod-claims.js';
export { volumeRestrictions } from './volumes/volume-restrictions.js';
export { volumeZone } from './volumes/volume-zone.js';
