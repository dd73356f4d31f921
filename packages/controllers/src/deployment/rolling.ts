import type { Deployment, ReplicaSet } from '@binnacle/client/kinds/apps/v1';
import { isRollingUpdate, maxSurge, maxUnavailable } from './limits.js';
import { activeSets, replicasOf, sumOf } from './sets.js';

/** The size of the new set: as many pods as the Deployment wants, within the surge that the others leave. */
export function newSetReplicas(deployment: Deployment, all: readonly ReplicaSet[], present: number): number {
  const wanted = replicasOf(deployment);
  if (!isRollingUpdate(deployment) || present >= wanted) return wanted;
  const room = wanted + maxSurge(deployment) - sumOf(all, replicasOf);
  return room <= 0 ? present : present + Math.min(room, wanted - present);
}

/** An old set that shrinks. A set may shrink twice: first by its unavailable pods, then by available ones. */
export interface Shrink {
  readonly set: ReplicaSet;
  readonly to: number;
}

/**
 * How the old sets shrink. Pods that are unavailable go first, since they hold the rollout up and count as unavailable anyway; then as many
 * available ones as `maxUnavailable` permits. Pods of the new set that are not available yet count against both. Nothing shrinks while a set still
 * counts pods that it is about to delete. `oldSets`: the oldest first.
 */
export function shrinkOldSets(deployment: Deployment, oldSets: readonly ReplicaSet[], newSet: ReplicaSet): Shrink[] {
  const old = activeSets(oldSets);
  const all = [...old, newSet];
  const minAvailable = replicasOf(deployment) - maxUnavailable(deployment);
  const unavailableNew = replicasOf(newSet) - available(newSet);
  const budget = sumOf(all, replicasOf) - minAvailable - unavailableNew;
  if (old.length === 0 || budget <= 0 || all.some(isBehind)) return [];
  const sizes = new Map(old.map((set) => [set, replicasOf(set)]));
  const shrinks: Shrink[] = [];
  const shrink = (set: ReplicaSet, count: number): number => {
    if (count <= 0) return 0;
    const to = (sizes.get(set) ?? 0) - count;
    sizes.set(set, to);
    shrinks.push({ set, to });
    return count;
  };
  let left = budget;
  for (const set of old) left -= shrink(set, Math.min(left, replicasOf(set) - available(set)));
  left = sumOf(all, available) - minAvailable;
  for (const set of old) left -= shrink(set, Math.min(left, sizes.get(set) ?? 0));
  return shrinks;
}

function isBehind(set: ReplicaSet): boolean {
  return available(set) > replicasOf(set);
}

function available({ status }: ReplicaSet): number {
  return status?.availableReplicas ?? 0;
}
