import type { DaemonSet, DaemonSetStatus } from '@binnacle/client/kinds/apps/v1';
import type { Node, Pod } from '@binnacle/client/kinds/core/v1';
import { nextAvailability, type PlannedEvent } from '../common/index.js';
import { isScheduled, newPod, podsByNode } from './daemon-pods.js';
import { fitOf, type NodeFit } from './node-fit.js';
import { planNode } from './node-plan.js';
import { planRollout } from './rolling.js';
import { statusOf } from './status.js';

/** The view of a set that the caches give. */
export interface SeenDaemonSet {
  readonly set: DaemonSet;
  readonly nodes: readonly Node[];
  /** The pods that the set has. */
  readonly pods: readonly Pod[];
  /** The hash of the latest revision. */
  readonly hash: string;
  /** Milliseconds for which a failed pod of a node must stay. */
  readonly backoffOf: (node: string) => number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface DaemonSetPlan {
  readonly create: readonly Pod[];
  readonly remove: readonly Pod[];
  readonly events: readonly PlannedEvent[];
  /** Names of nodes whose failed pod is deleted, which lengthens their backoff. */
  readonly failedNodes: readonly string[];
  readonly status: DaemonSetStatus;
  readonly requeueAfter: number | undefined;
}

/** The most pods that a set creates, and that it deletes, before it looks again. Upstream: `BurstReplicas`. */
const BURST = 250;

export function planDaemonSet(seen: SeenDaemonSet): DaemonSetPlan {
  const { set, nodes, pods, hash, now } = seen;
  const byNode = podsByNode(pods);
  const names = new Set(nodes.map(nameOf));
  const fits = new Map(nodes.map((node) => [node, fitOf(set, node)]));
  const wanted = new Set([...fits].flatMap(([node, { shouldRun }]) => (shouldRun ? nameOf(node) : [])));
  const status = statusOf({ set, nodes: names, pods: byNode, wanted, hash, now });
  const managed = manage(seen, byNode, fits, names);
  const isTidy = managed.create.length === 0 && managed.remove.length === 0;
  const isRolling = isTidy && set.spec?.updateStrategy?.type === 'RollingUpdate';
  const rollout = isRolling
    ? planRollout({ set, pods: byNode, wanted, nodes: names, hash, now })
    : { create: [], remove: [] };
  const minReadySeconds = set.spec?.minReadySeconds ?? 0;
  const isWaiting = minReadySeconds > 0 && status.numberReady !== (status.numberAvailable ?? 0);
  const waits = [
    ...managed.waits,
    ...(isWaiting ? [nextAvailability(pods, minReadySeconds, now) ?? minReadySeconds * 1000] : []),
  ];
  return {
    create: [...managed.create, ...rollout.create].slice(0, BURST).map((node) => newPod(set, node, hash)),
    remove: [...managed.remove, ...rollout.remove].slice(0, BURST),
    events: managed.events,
    failedNodes: managed.failedNodes,
    status,
    requeueAfter: waits.length === 0 ? undefined : waits.reduce((least, wait) => Math.min(least, wait)),
  };
}

interface Managed {
  /** Names of nodes. */
  readonly create: string[];
  readonly remove: Pod[];
  readonly events: PlannedEvent[];
  readonly failedNodes: string[];
  readonly waits: number[];
}

/** Brings each node to the pods that it should have, whatever their revision. */
function manage(
  { set, hash, backoffOf, now }: SeenDaemonSet,
  byNode: ReadonlyMap<string, readonly Pod[]>,
  fits: ReadonlyMap<Node, NodeFit>,
  names: ReadonlySet<string>,
): Managed {
  const managed: Managed = { create: [], remove: [], events: [], failedNodes: [], waits: [] };
  for (const [node, fit] of fits) {
    const name = nameOf(node);
    const plan = planNode({ set, node, fit, pods: byNode.get(name), hash, backoff: backoffOf(name), now });
    if (plan.create) managed.create.push(name);
    managed.remove.push(...plan.remove);
    managed.events.push(...plan.events);
    if (plan.remove.some(({ status }) => status?.phase === 'Failed')) managed.failedNodes.push(name);
    if (plan.requeueAfter !== undefined) managed.waits.push(plan.requeueAfter);
  }
  // No node will ever take these, and the pod garbage collector deletes only pods that had one.
  for (const [node, pods] of byNode) {
    if (!names.has(node)) managed.remove.push(...pods.filter((pod) => !isScheduled(pod)));
  }
  return managed;
}

function nameOf({ metadata }: Node): string {
  return metadata.name ?? '';
}
