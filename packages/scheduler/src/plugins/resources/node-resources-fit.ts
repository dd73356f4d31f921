import {
  type ClusterEvent,
  isCountedResource,
  type NodeState,
  type Plugin,
  type PodFacts,
  resourcesOf,
  type Status,
  success,
  unresolvable,
  unschedulable,
} from '../../framework/index.js';
import { Node } from '@binnacle/client/kinds/core/v1';
import { isExtendedResource } from '@binnacle/api/validation';
import { mayHaveDevices } from '../devices/extended-requests.js';
import { isOf } from '../objects.js';
import { leastAllocated, type ScoringStrategy, scoreResources } from './scoring-strategy.js';

export interface NodeResourcesFitArgs {
  /** Extended resources that nodes are not compared for. Scores still count them. */
  readonly ignoredResources?: readonly string[];
  /** The same for all extended resources with these prefixes: `example.com` for `example.com/gpu`. */
  readonly ignoredResourceGroups?: readonly string[];
  /** Default: {@link leastAllocated}. */
  readonly scoringStrategy?: ScoringStrategy;
}

/** Finds the DeviceClass of an extended resource. */
export type FindClass = (resource: string) => unknown;

/** Rejects nodes without room for the pod's requests, and scores the others by what is requested of them. */
export function nodeResourcesFit(
  { ignoredResources = [], ignoredResourceGroups = [], scoringStrategy = leastAllocated }: NodeResourcesFitArgs = {},
  classOf: FindClass = () => undefined,
): Plugin {
  const [resources, groups] = [new Set(ignoredResources), new Set(ignoredResourceGroups)];
  const isIgnored: IsIgnored = (name) =>
    isExtendedResource(name) && (resources.has(name) || groups.has(name.split('/', 1)[0] ?? ''));
  const exceptions: Exceptions = { isIgnored, classOf };
  return {
    name: 'NodeResourcesFit',
    interests: [
      { resource: 'AssignedPod', actions: ['Delete', 'Update'] },
      {
        resource: 'Node',
        actions: ['Add', 'Update'],
        isWorthTrying: (pod, event) => fitsEmptyNode(pod, event, exceptions),
      },
      { resource: 'DeviceClass', actions: ['Add', 'Update'] },
    ],
    filter: ({ pod }, node) => fit(pod, node, exceptions),
    score: ({ pod }, node) => scoreResources(scoringStrategy, pod, node),
  };
}

type IsIgnored = (resource: string) => boolean;

interface Exceptions {
  readonly isIgnored: IsIgnored;
  readonly classOf: FindClass;
}

/** The resources of a node, and the part that its pods use. */
type Room = Pick<NodeState, 'podCount' | 'allocatable' | 'requested'>;

/**
 * Preemption does not help a pod that asks for more than the node has. A resource that the node does not have may map to a DeviceClass;
 * then DynamicResources decides.
 */
function fit({ requests }: PodFacts, node: Room, { isIgnored, classOf }: Exceptions): Status {
  // Most nodes have room, so that they need no list.
  let reasons: string[] | undefined;
  let isHopeless = false;
  if (node.podCount + 1 > (node.allocatable.get('pods') ?? 0)) reasons = ['Too many pods'];
  for (const [name, wanted] of requests) {
    if (wanted === 0 || !isCountedResource(name) || isIgnored(name)) continue;
    const capacity = node.allocatable.get(name) ?? 0;
    if (wanted <= capacity - node.requested(name)) continue;
    if (capacity === 0 && mayHaveDevices(name) && classOf(name) !== undefined) continue;
    (reasons ??= []).push(`Insufficient ${name}`);
    isHopeless ||= wanted > capacity;
  }
  if (reasons === undefined) return success;
  return isHopeless ? unresolvable(...reasons) : unschedulable(...reasons);
}

/** Whether the pod would fit on the changed node if the node had no pods; otherwise the change is not worth an attempt. */
function fitsEmptyNode(pod: PodFacts, { after }: ClusterEvent, exceptions: Exceptions): boolean {
  return !isOf(Node, after) || fit(pod, emptyRoomOf(after), exceptions).code === 'Success';
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
