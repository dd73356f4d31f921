import type { StatefulSet, StatefulSetStatus } from '@binnacle/client/kinds/apps/v1';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { isPodAvailable, isPodReady, omitZero } from '../common/index.js';
import { revisionOf, wantedReplicas } from './identity.js';

/** A status with every count. */
export interface Counts {
  readonly replicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
  /** Pods of the current revision. */
  readonly currentReplicas: number;
  /** Pods of the update revision. */
  readonly updatedReplicas: number;
}

export interface RevisionNames {
  readonly current: string;
  readonly update: string;
  readonly collisionCount: number;
}

export function isRunningAndReady(pod: Pod): boolean {
  return pod.status?.phase === 'Running' && isPodReady(pod);
}

export function countPods(
  pods: readonly Pod[],
  { current, update }: RevisionNames,
  minReadySeconds: number,
  now: number,
): Counts {
  const count = (matches: (pod: Pod) => boolean) => pods.filter(matches).length;
  const isStaying = ({ metadata }: Pod) => metadata.deletionTimestamp === undefined;
  return {
    replicas: pods.length,
    readyReplicas: count(isRunningAndReady),
    availableReplicas: count((pod) => isRunningAndReady(pod) && isPodAvailable(pod, minReadySeconds, now)),
    currentReplicas: count((pod) => isStaying(pod) && revisionOf(pod) === current),
    updatedReplicas: count((pod) => isStaying(pod) && revisionOf(pod) === update),
  };
}

/** The status with these counts. A finished rolling update makes the update revision the current one. */
export function statusOf(
  set: StatefulSet,
  counts: Counts,
  { current, update, collisionCount }: RevisionNames,
): StatefulSetStatus {
  const wanted = wantedReplicas(set);
  const { replicas, readyReplicas, availableReplicas, updatedReplicas } = counts;
  const isComplete =
    set.spec?.updateStrategy?.type === 'RollingUpdate' &&
    [updatedReplicas, readyReplicas, replicas].every((count) => count === wanted);
  const currentReplicas = isComplete ? updatedReplicas : Math.max(0, counts.currentReplicas);
  const { generation: observedGeneration } = set.metadata;
  return {
    ...omitZero({ observedGeneration, readyReplicas, currentReplicas, updatedReplicas }),
    replicas,
    currentRevision: isComplete ? update : current,
    updateRevision: update,
    collisionCount,
    availableReplicas,
  };
}

const compared = [
  'replicas',
  'currentReplicas',
  'readyReplicas',
  'updatedReplicas',
  'currentRevision',
  'availableReplicas',
  'updateRevision',
] as const;

/** Whether the status is worth a write. Upstream: `inconsistentStatus`. */
export function isWorthWriting({ status: present }: StatefulSet, status: StatefulSetStatus): boolean {
  if ((status.observedGeneration ?? 0) > (present?.observedGeneration ?? 0)) return true;
  return compared.some((field) => (status[field] ?? 0) !== (present?.[field] ?? 0));
}
