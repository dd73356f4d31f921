import type { JsonObject } from '@binnacle/apimachinery/json';
import { formatTime } from '@binnacle/apimachinery/time';
import type { Node, Pod } from '@binnacle/client/kinds/core/v1';
import { findCondition, isNodeReady, isPodTerminal, timeOf } from '../common/index.js';

const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';

export interface SeenPods {
  readonly terminated: readonly Pod[];
  /** The number of terminated pods that may stay. */
  readonly threshold: number;
  /** Pods that are being deleted, on nodes out of service. */
  readonly outOfService: readonly Pod[];
  /** Pods on nodes that the server says do not exist. */
  readonly orphaned: readonly Pod[];
  /** Pods that are being deleted and have no node. */
  readonly unscheduled: readonly Pod[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The writes that delete a pod at once. */
export interface Collection {
  readonly pod: Pod;
  /** Written first, so that watchers see the pod end; undefined if it has ended. */
  readonly status: JsonObject | undefined;
  /** False if only finalizers keep the pod. */
  readonly isToBeDeleted: boolean;
}

/** The pods to fail and to delete by force, each once, in order. */
export function planCollection(seen: SeenPods): Collection[] {
  const { terminated, threshold, outOfService, orphaned, unscheduled, now } = seen;
  const excess = Math.max(0, terminated.length - threshold);
  const plain = [...(excess === 0 ? [] : inOrder(terminated).slice(0, excess)), ...inOrder(outOfService)];
  const planned = new Map<string, Collection>();
  const add = (pod: Pod, status: JsonObject) => {
    const { uid = '' } = pod.metadata;
    const next = { pod, status: isPodTerminal(pod) ? undefined : status, isToBeDeleted: !isHeld(pod) };
    if (!planned.has(uid) && (next.isToBeDeleted || next.status !== undefined)) planned.set(uid, next);
  };
  for (const pod of plain) add(pod, failed(pod));
  for (const pod of orphaned) add(pod, { ...failed(pod), conditions: [disruption(pod, now)] });
  for (const pod of unscheduled) add(pod, failed(pod));
  return [...planned.values()];
}

/** Whether pods that are leaving the node will never be ended by its kubelet. */
export function isOutOfService(node: Node): boolean {
  return !isNodeReady(node) && (node.spec?.taints ?? []).some(({ key }) => key === OUT_OF_SERVICE);
}

function isHeld({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;
}

function failed({ metadata }: Pod): JsonObject {
  return { phase: 'Failed', observedGeneration: metadata.generation ?? 0 };
}

function disruption({ metadata, status }: Pod, now: number): JsonObject {
  const before = findCondition(status?.conditions, 'DisruptionTarget');
  const since = before?.status === 'True' ? before.lastTransitionTime : undefined;
  return {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'DeletionByPodGC',
    message: 'PodGC: node no longer exists',
    observedGeneration: metadata.generation ?? 0,
    lastTransitionTime: since ?? formatTime(now),
    lastProbeTime: null,
  };
}

/** Evicted pods first, which no controller counts, then the oldest. */
function inOrder(pods: readonly Pod[]): Pod[] {
  return [...pods].sort((a, b) => {
    const evicted = Number(isEvicted(b)) - Number(isEvicted(a));
    if (evicted !== 0) return evicted;
    const age = (timeOf(a.metadata.creationTimestamp) ?? 0) - (timeOf(b.metadata.creationTimestamp) ?? 0);
    if (age !== 0) return age;
    return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
  });
}

function isEvicted({ status }: Pod): boolean {
  return status?.phase === 'Failed' && status.reason === 'Evicted';
}
