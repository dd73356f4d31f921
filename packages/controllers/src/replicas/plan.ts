import { formatTime } from '@binnacle/apimachinery/time';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import {
  hasLabels,
  isPodAvailable,
  isPodReady,
  nextAvailability,
  omitZero,
  podsToDelete,
  withCondition,
  withoutCondition,
} from '../common/index.js';
import { type Replicas, type ReplicasStatus, wantedReplicas } from './replicas.js';

/** What the caches show of a set. */
export interface SeenReplicas {
  readonly set: Replicas;
  /** The pods that the set has, and that have neither ended nor are being deleted. */
  readonly active: readonly Pod[];
  /** The number of its pods that are being deleted; undefined if the kind does not report it. */
  readonly terminating: number | undefined;
  /** The pods of all sets of the same owner. Called only if pods must go. */
  readonly related: () => readonly Pod[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface ReplicasPlan {
  /** The number of pods to create. */
  readonly create: number;
  readonly remove: readonly Pod[];
}

/** A set creates or deletes at most as many pods before it looks again. Upstream: `BurstReplicas`. */
const BURST = 500;

/** Exactly one of the two is not empty, unless the set has the pods that it wants. A set that is being deleted changes nothing. */
export function planReplicas({ set, active, related, now }: SeenReplicas): ReplicasPlan {
  if (set.metadata.deletionTimestamp !== undefined) return { create: 0, remove: [] };
  const missing = wantedReplicas(set) - active.length;
  const remove = missing < 0 ? podsToDelete(active, related(), Math.min(-missing, BURST), now) : [];
  return { create: Math.max(0, Math.min(missing, BURST)), remove };
}

/** The status for the pods before the plan was carried out. `failure` is why it could not be; undefined if it could. */
export function replicasStatus(seen: SeenReplicas, failure: string | undefined): ReplicasStatus {
  const { set, active, terminating, now } = seen;
  const { minReadySeconds = 0, template } = set.spec ?? {};
  const labels = template?.metadata?.labels;
  const conditions = failureCondition(seen, failure);
  return {
    replicas: active.length,
    ...omitZero({
      fullyLabeledReplicas: active.filter(({ metadata }) => hasLabels(metadata.labels, labels)).length,
      readyReplicas: active.filter(isPodReady).length,
      availableReplicas: active.filter((pod) => isPodAvailable(pod, minReadySeconds, now)).length,
      observedGeneration: set.metadata.generation,
    }),
    ...(terminating === undefined ? {} : { terminatingReplicas: terminating }),
    ...(conditions.length === 0 ? {} : { conditions }),
  };
}

/** Milliseconds until a ready pod becomes available; undefined if none is about to. */
export function availabilityCheck({ set, active, now }: SeenReplicas): number | undefined {
  return nextAvailability(active, set.spec?.minReadySeconds ?? 0, now);
}

/** The first failure stays until a success. */
function failureCondition({ set, active, now }: SeenReplicas, failure: string | undefined) {
  const { conditions } = set.status ?? {};
  if (failure === undefined) return withoutCondition(conditions, 'ReplicaFailure');
  if (conditions?.some(({ type }) => type === 'ReplicaFailure') === true) return conditions;
  return withCondition(conditions, {
    type: 'ReplicaFailure',
    status: 'True',
    reason: active.length < wantedReplicas(set) ? 'FailedCreate' : 'FailedDelete',
    message: failure,
    lastTransitionTime: formatTime(now),
  });
}
