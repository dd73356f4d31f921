import type { WeightedPlugin } from '../framework/index.js';
import { defaultBinder, type WriteBinding } from './default-binder.js';
import { defaultPreemption } from './default-preemption.js';
import type { DeviceManager } from './device-manager.js';
import { dynamicResources } from './dynamic-resources.js';
import { imageLocality } from './image-locality.js';
import { interPodAffinity } from './inter-pod-affinity.js';
import { nodeAffinity } from './node-affinity.js';
import { nodeName } from './node-name.js';
import { nodePorts } from './node-ports.js';
import { nodeResourcesBalancedAllocation } from './node-resources-balanced-allocation.js';
import { nodeResourcesFit } from './node-resources-fit.js';
import { nodeUnschedulable } from './node-unschedulable.js';
import { podTopologySpread } from './pod-topology-spread.js';
import { prioritySort } from './priority-sort.js';
import { schedulingGates } from './scheduling-gates.js';
import { taintToleration } from './taint-toleration.js';
import { nodeDeclaredFeatures } from './node-declared-features.js';
import { nodeVolumeLimits } from './node-volume-limits.js';
import { volumeBinding, type VolumeBinder } from './volume-binding.js';
import { volumeRestrictions } from './volume-restrictions.js';
import { volumeZone } from './volume-zone.js';

/** In upstream's order, with upstream's weights. Upstream: `apis/config/v1/default_plugins.go`. */
export function defaultPlugins(
  write: WriteBinding,
  binder: VolumeBinder,
  devices: DeviceManager,
): readonly WeightedPlugin[] {
  return [
    { plugin: schedulingGates, weight: 0 },
    { plugin: prioritySort, weight: 0 },
    { plugin: nodeUnschedulable, weight: 0 },
    { plugin: nodeName, weight: 0 },
    { plugin: taintToleration, weight: 3 },
    { plugin: nodeAffinity, weight: 2 },
    { plugin: nodePorts, weight: 0 },
    { plugin: nodeResourcesFit, weight: 1 },
    { plugin: volumeRestrictions, weight: 0 },
    { plugin: nodeVolumeLimits, weight: 0 },
    { plugin: volumeBinding(binder), weight: 0 },
    { plugin: volumeZone, weight: 0 },
    { plugin: podTopologySpread, weight: 2 },
    { plugin: interPodAffinity, weight: 2 },
    { plugin: dynamicResources(devices), weight: 2 },
    { plugin: defaultPreemption, weight: 0 },
    { plugin: nodeResourcesBalancedAllocation, weight: 1 },
    { plugin: imageLocality, weight: 1 },
    { plugin: defaultBinder(write), weight: 0 },
    { plugin: nodeDeclaredFeatures, weight: 0 },
  ];
}
