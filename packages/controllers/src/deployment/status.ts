import { formatTime } from '@binnacle/apimachinery/time';
import type { Deployment, DeploymentCondition, DeploymentStatus, ReplicaSet } from '@binnacle/client/kinds/apps/v1';
import { findCondition, omitZero, withCondition } from '../common/index.js';
import { maxUnavailable } from './limits.js';
import { replicasOf, sumOf } from './sets.js';

export type Conditions = readonly DeploymentCondition[] | undefined;

/** A condition that begins now. */
export function conditionAt(
  now: number,
  type: 'Available' | 'Progressing',
  status: 'True' | 'False' | 'Unknown',
  reason: string,
  message: string,
): DeploymentCondition {
  const time = formatTime(now);
  return { type, status, lastUpdateTime: time, lastTransitionTime: time, reason, message };
}

/** The status that follows from the sets, with the given conditions and `Available`. Upstream: `calculateStatus`. */
export function statusOf(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  newSet: ReplicaSet | undefined,
  conditions: Conditions,
  now: number,
): DeploymentStatus {
  const availableReplicas = sumOf(sets, ({ status }) => status?.availableReplicas);
  const terminatingReplicas = terminatingOf(sets);
  const { collisionCount } = deployment.status ?? {};
  return {
    ...omitZero({
      observedGeneration: deployment.metadata.generation,
      replicas: sumOf(sets, ({ status }) => status?.replicas),
      updatedReplicas: newSet?.status?.replicas,
      readyReplicas: sumOf(sets, ({ status }) => status?.readyReplicas),
      availableReplicas,
      unavailableReplicas: Math.max(0, sumOf(sets, replicasOf) - availableReplicas),
    }),
    ...(terminatingReplicas === undefined ? {} : { terminatingReplicas }),
    ...(collisionCount === undefined ? {} : { collisionCount }),
    conditions: withCondition(conditions, availability(deployment, availableReplicas, now)),
  };
}

/** All desired pods are of the current template and available, and no others are left. */
export function isComplete(deployment: Deployment, status: DeploymentStatus | undefined): boolean {
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0, observedGeneration = 0 } = status ?? {};
  const wanted = replicasOf(deployment);
  const hasAll = [updatedReplicas, replicas, availableReplicas].every((count) => count === wanted);
  return hasAll && observedGeneration >= (deployment.metadata.generation ?? 0);
}

/** The failure to create or delete pods that a set reports; that of the new set first. */
export function replicaFailure(
  sets: readonly ReplicaSet[],
  newSet: ReplicaSet | undefined,
): DeploymentCondition | undefined {
  const failures = [...(newSet === undefined ? [] : [newSet]), ...sets]
    .map(({ status }) => findCondition(status?.conditions, 'ReplicaFailure'))
    .filter((condition) => condition !== undefined);
  const [failure] = failures;
  if (failure === undefined) return undefined;
  const { lastTransitionTime: time } = failure;
  return { ...failure, ...(time === undefined ? {} : { lastUpdateTime: time }) };
}

function availability(deployment: Deployment, available: number, now: number): DeploymentCondition {
  return available >= replicasOf(deployment) - maxUnavailable(deployment)
    ? conditionAt(now, 'Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.')
    : conditionAt(
        now,
        'Available',
        'False',
        'MinimumReplicasUnavailable',
        'Deployment does not have minimum availability.',
      );
}

/** Undefined if a set that its controller has seen does not report the count. */
function terminatingOf(sets: readonly ReplicaSet[]): number | undefined {
  let sum = 0;
  for (const { status } of sets) {
    const { observedGeneration = 0, terminatingReplicas } = status ?? {};
    if (terminatingReplicas === undefined && observedGeneration > 0) return undefined;
    sum += terminatingReplicas ?? 0;
  }
  return sum;
}
