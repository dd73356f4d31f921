import type { Extender, Plugin, WeightedPlugin } from '../framework/index.js';
import { defaultBinder, type WriteBinding } from './default-binder.js';
import { defaultPreemption, type DefaultPreemptionArgs } from './preemption/default-preemption.js';
import type { DeviceManager } from './devices/device-manager.js';
import { dynamicResources, type DynamicResourcesArgs } from './devices/dynamic-resources.js';
import { imageLocality } from './nodes/image-locality.js';
import { interPodAffinity, type InterPodAffinityArgs } from './topology/inter-pod-affinity.js';
import { nodeAffinity, type NodeAffinityArgs } from './nodes/node-affinity.js';
import { nodeName } from './nodes/node-name.js';
import { nodePorts } from './nodes/node-ports.js';
import {
  type BalancedAllocationArgs,
  nodeResourcesBalancedAllocation,
} from './resources/node-resources-balanced-allocation.js';
import { nodeResourcesFit, type NodeResourcesFitArgs } from './resources/node-resources-fit.js';
import { nodeUnschedulable } from './nodes/node-unschedulable.js';
import { podTopologySpread, type PodTopologySpreadArgs } from './topology/pod-topology-spread.js';
import { prioritySort } from './priority-sort.js';
import { schedulingGates } from './scheduling-gates.js';
import { taintToleration } from './nodes/taint-toleration.js';
import { nodeDeclaredFeatures } from './nodes/node-declared-features.js';
import { nodeVolumeLimits } from './volumes/node-volume-limits.js';
import { volumeBinding, type VolumeBinder, type VolumeBindingArgs } from './volumes/volume-binding.js';
import { volumeRestrictions } from './volumes/volume-restrictions.js';
import { volumeZone } from './volumes/volume-zone.js';

/** The dependencies of plugins. */
export interface PluginParts {
  readonly write: WriteBinding;
  readonly binder: VolumeBinder;
  readonly devices: DeviceManager;
  /** Default: none. */
  readonly extenders?: readonly Extender[];
}

/** The arguments of the plugins that have some. */
export interface PluginArgs {
  readonly DefaultPreemption?: DefaultPreemptionArgs;
  readonly DynamicResources?: DynamicResourcesArgs;
  readonly InterPodAffinity?: InterPodAffinityArgs;
  readonly NodeAffinity?: NodeAffinityArgs;
  readonly NodeResourcesBalancedAllocation?: BalancedAllocationArgs;
  readonly NodeResourcesFit?: NodeResourcesFitArgs;
  readonly PodTopologySpread?: PodTopologySpreadArgs;
  readonly VolumeBinding?: VolumeBindingArgs;
}

/** A plugin by its name, and the weight of its score. */
export interface PluginChoice {
  readonly name: string;
  /** 0 for a plugin without its own weight, which counts once if it scores. */
  readonly weight: number;
}

/** In upstream's order, with upstream's weights. Upstream: `apis/config/v1/default_plugins.go`. */
export const defaultChoices: readonly PluginChoice[] = [
  { name: 'SchedulingGates', weight: 0 },
  { name: 'PrioritySort', weight: 0 },
  { name: 'NodeUnschedulable', weight: 0 },
  { name: 'NodeName', weight: 0 },
  { name: 'TaintToleration', weight: 3 },
  { name: 'NodeAffinity', weight: 2 },
  { name: 'NodePorts', weight: 0 },
  { name: 'NodeResourcesFit', weight: 1 },
  { name: 'VolumeRestrictions', weight: 0 },
  { name: 'NodeVolumeLimits', weight: 0 },
  { name: 'VolumeBinding', weight: 0 },
  { name: 'VolumeZone', weight: 0 },
  { name: 'PodTopologySpread', weight: 2 },
  { name: 'InterPodAffinity', weight: 2 },
  { name: 'DynamicResources', weight: 2 },
  { name: 'DefaultPreemption', weight: 0 },
  { name: 'NodeResourcesBalancedAllocation', weight: 1 },
  { name: 'ImageLocality', weight: 1 },
  { name: 'DefaultBinder', weight: 0 },
  { name: 'NodeDeclaredFeatures', weight: 0 },
];

/** Makes the default plugins of one profile, by name. */
export function makePlugins(
  { write, binder, devices, extenders }: PluginParts,
  args: PluginArgs = {},
): Map<string, Plugin> {
  const plugins = [
    schedulingGates,
    prioritySort,
    nodeUnschedulable,
    nodeName,
    taintToleration,
    nodeAffinity(args.NodeAffinity),
    nodePorts,
    nodeResourcesFit(args.NodeResourcesFit, (resource) => devices.classForResource(resource)),
    volumeRestrictions,
    nodeVolumeLimits,
    volumeBinding(binder, args.VolumeBinding),
    volumeZone,
    podTopologySpread(args.PodTopologySpread),
    interPodAffinity(args.InterPodAffinity),
    dynamicResources(devices, args.DynamicResources),
    defaultPreemption(args.DefaultPreemption, extenders),
    nodeResourcesBalancedAllocation(args.NodeResourcesBalancedAllocation),
    imageLocality,
    defaultBinder(write),
    nodeDeclaredFeatures,
  ];
  return new Map(plugins.map((plugin) => [plugin.name, plugin]));
}

/** The default plugins in their order. */
export function defaultPlugins(parts: PluginParts): readonly WeightedPlugin[] {
  const plugins = makePlugins(parts);
  return defaultChoices.flatMap(({ name, weight }) => {
    const plugin = plugins.get(name);
    return plugin === undefined ? [] : [{ plugin, weight }];
  });
}
