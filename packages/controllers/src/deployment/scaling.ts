import type { Deployment, ReplicaSet } from '@binnacle/client/kinds/apps/v1';
import { desiredReplicas, MAX_INT32, maxReplicas } from './annotations.js';
import { isRollingUpdate, maxSurge } from './limits.js';
import { activeSets, byAge, replicasOf, sumOf } from './sets.js';

/** A set and the size that it gets. */
export interface Resize {
  readonly set: ReplicaSet;
  readonly replicas: number;
  /** Also write the size of the Deployment if only that differs. */
  readonly recordsSize: boolean;
}

/** Whether `spec.replicas` has changed since the Deployment last scaled one of these sets. */
export function isScaled(deployment: Deployment, sets: readonly ReplicaSet[]): boolean {
  return activeSets(sets).some((set) => {
    const desired = desiredReplicas(set);
    return desired !== undefined && desired !== replicasOf(deployment);
  });
}

/**
 * The sizes of the sets of a Deployment that is scaled or paused. During a rollout each set grows or shrinks in proportion to its size, so that
 * scaling neither hurries the rollout nor makes more pods unavailable. `oldSets`: the oldest first.
 */
export function scaleSets(
  deployment: Deployment,
  newSet: ReplicaSet | undefined,
  oldSets: readonly ReplicaSet[],
): Resize[] {
  const replicas = replicasOf(deployment);
  const only = onlyActiveOrLatest(newSet, oldSets);
  if (only !== undefined) return [{ set: only, replicas, recordsSize: false }];
  if (newSet === undefined && oldSets.length === 0) return [];
  if (isSaturated(deployment, newSet)) {
    return activeSets(oldSets).map((set) => ({ set, replicas: 0, recordsSize: false }));
  }
  if (!isRollingUpdate(deployment)) return [];
  return proportionalSizes(deployment, activeSets([...oldSets, ...(newSet === undefined ? [] : [newSet])]));
}

/** The set that has all the pods; without pods, the newest. Undefined if several have pods. */
function onlyActiveOrLatest(newSet: ReplicaSet | undefined, oldSets: readonly ReplicaSet[]): ReplicaSet | undefined {
  const active = activeSets([...oldSets, ...(newSet === undefined ? [] : [newSet])]);
  if (active.length === 0) return newSet ?? oldSets.at(-1);
  return active.length === 1 ? active[0] : undefined;
}

/** Whether the set has all pods that the Deployment wants, and all are available. */
function isSaturated(deployment: Deployment, set: ReplicaSet | undefined): boolean {
  const wanted = replicasOf(deployment);
  if (set === undefined || replicasOf(set) !== wanted || desiredReplicas(set) !== wanted) return false;
  return (set.status?.availableReplicas ?? 0) === wanted;
}

/** Larger sets first; of two of one size, the newer grows first and the older shrinks first. The largest gets what rounding leaves. */
function proportionalSizes(deployment: Deployment, sets: readonly ReplicaSet[]): Resize[] {
  const wanted = replicasOf(deployment);
  const allowed = wanted > 0 ? Math.min(wanted + maxSurge(deployment), MAX_INT32) : 0;
  const toAdd = allowed - sumOf(sets, replicasOf);
  const ordered = toAdd === 0 ? [...sets] : sets.toSorted((one, other) => bySize(one, other, toAdd > 0));
  let added = 0;
  const sizes = ordered.map((set) => {
    const share = shareOf(deployment, set, toAdd, added);
    added += share;
    return { set, replicas: replicasOf(set) + share, recordsSize: true };
  });
  return sizes.map((size, index) =>
    index === 0 ? { ...size, replicas: Math.max(0, size.replicas + toAdd - added) } : size,
  );
}

function bySize(one: ReplicaSet, other: ReplicaSet, newerFirst: boolean): number {
  return replicasOf(other) - replicasOf(one) || (newerFirst ? byAge(other, one) : byAge(one, other));
}

/** The share of a set in `toAdd` replicas, of which the sets before it have taken `added`. Both are negative when the Deployment shrinks. */
function shareOf(deployment: Deployment, set: ReplicaSet, toAdd: number, added: number): number {
  const left = toAdd - added;
  if (replicasOf(set) === 0 || toAdd === 0 || left === 0) return 0;
  const share = fractionOf(deployment, set);
  return toAdd > 0 ? Math.min(share, left) : Math.max(share, left);
}

function fractionOf(deployment: Deployment, set: ReplicaSet): number {
  const size = replicasOf(set);
  const wanted = replicasOf(deployment);
  if (wanted === 0) return -size;
  const before = maxReplicas(set) || (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  return roundHalfAway((size * (wanted + maxSurge(deployment))) / before) - size;
}

/** Go's `integer.RoundToInt32`. */
function roundHalfAway(value: number): number {
  return value < 0 ? Math.ceil(value - 0.5) : Math.floor(value + 0.5);
}
