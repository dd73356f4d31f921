import {
  type ClusterEvent,
  isCountedResource,
  MAX_NODE_SCORE,
  type NodeState,
  type Plugin,
  type PodFacts,
  resourcesOf,
  type Status,
  success,
  unresolvable,
  unschedulable,
} from '../framework/index.js';
import { Node } from '@binnacle/client/kinds/core/v1';
import { isOf } from './objects.js';

/** The resources that scores count, with equal weights. */
export const SCORED_RESOURCES = ['cpu', 'memory'] as const;

/** Rejects nodes without room for the pod's requests, and prefers the nodes with the most room: upstream's LeastAllocated. */
export const nodeResourcesFit: Plugin = {
  name: 'NodeResourcesFit',
  interests: [
    { resource: 'AssignedPod', actions: ['Delete', 'Update'] },
    { resource: 'Node', actions: ['Add', 'Update'], isWorthTrying: fitsEmptyNode },
  ],
  filter: ({ pod }, node) => fit(pod, node),
  score: ({ pod }, node) => leastAllocatedScore(pod, node),
};

/** What a node has, and what its pods take of it. */
type Room = Pick<NodeState, 'podCount' | 'allocatable' | 'requested'>;

/** Preemption does not help a pod that asks for more than the node has. */
function fit({ requests }: PodFacts, node: Room): Status {
  const reasons: string[] = [];
  let isHopeless = false;
  if (node.podCount + 1 > (node.allocatable.get('pods') ?? 0)) reasons.push('Too many pods');
  for (const [name, wanted] of requests) {
    if (wanted === 0 || !isCountedResource(name)) continue;
    const capacity = node.allocatable.get(name) ?? 0;
    if (wanted <= capacity - node.requested(name)) continue;
    reasons.push(`Insufficient ${name}`);
    isHopeless ||= wanted > capacity;
  }
  if (reasons.length === 0) return success;
  return isHopeless ? unresolvable(...reasons) : unschedulable(...reasons);
}

/** A change of a node that does not fit the pod even without its pods is not worth an attempt. */
function fitsEmptyNode(pod: PodFacts, { after }: ClusterEvent): boolean {
  return !isOf(Node, after) || fit(pod, emptyRoomOf(after)).code === 'Success';
}

/** Thousands of pods may be compared with one version of a node. */
const emptyRooms = new WeakMap<Node, Room>();

function emptyRoomOf(node: Node): Room {
  const present = emptyRooms.get(node);
  if (present !== undefined) return present;
  const room = { podCount: 0, allocatable: resourcesOf(node.status?.allocatable), requested: () => 0 };
  emptyRooms.set(node, room);
  return room;
}

function leastAllocatedScore(pod: PodFacts, node: NodeState): number {
  let total = 0;
  let counted = 0;
  for (const name of SCORED_RESOURCES) {
    const capacity = node.allocatable.get(name) ?? 0;
    if (capacity === 0) continue;
    const used = node.scoredRequested(name) + (pod.scoredRequests.get(name) ?? 0);
    if (used <= capacity) total += Math.floor(((capacity - used) * MAX_NODE_SCORE) / capacity);
    counted++;
  }
  return counted === 0 ? 0 : Math.floor(total / counted);
}
