import type { DaemonSet } from '@binnacle/client/kinds/apps/v1';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { isPodAvailable } from '../common/index.js';
import { isDeleted, isUpdated } from './daemon-pods.js';
import { limitsOf } from './limits.js';

/** A set in a rolling update. */
export interface SeenRollout {
  readonly set: DaemonSet;
  /** The set's pods by node. */
  readonly pods: ReadonlyMap<string, readonly Pod[]>;
  /** The nodes that should run a pod. */
  readonly wanted: ReadonlySet<string>;
  /** All nodes. */
  readonly nodes: ReadonlySet<string>;
  readonly hash: string;
  readonly now: number;
}

export interface RolloutPlan {
  readonly remove: readonly Pod[];
  /** Names of nodes that get a second pod. */
  readonly create: readonly string[];
}

export function planRollout(seen: SeenRollout): RolloutPlan {
  return limitsOf(seen.set, seen.wanted.size).surge > 0 ? planSurge(seen) : planReplacement(seen);
}

/** The old and the updated pod of a node. */
interface PodPair {
  readonly old: Pod | undefined;
  readonly updated: Pod | undefined;
}

/** Undefined if there are several old or several updated pods, of which some must be deleted first. */
function pairOf({ set, hash }: SeenRollout, pods: readonly Pod[]): PodPair | undefined {
  const present = pods.filter((pod) => !isDeleted(pod));
  const [updated, ...moreUpdated] = present.filter((pod) => isUpdated(set, pod, hash));
  const [old, ...moreOld] = present.filter((pod) => !isUpdated(set, pod, hash));
  return moreUpdated.length + moreOld.length > 0 ? undefined : { old, updated };
}

function isAvailable({ set, now }: SeenRollout, pod: Pod): boolean {
  return isPodAvailable(pod, set.spec?.minReadySeconds ?? 0, now);
}

/** Deletes old pods within the limit of unavailable nodes. An unavailable old pod goes at once, since that makes nothing worse. */
function planReplacement(seen: SeenRollout): RolloutPlan {
  const { set, pods, wanted } = seen;
  const unavailableOld: Pod[] = [];
  const candidates: Pod[] = [];
  let unavailable = 0;
  for (const node of new Set([...pods.keys(), ...wanted])) {
    const { old, updated } = pairOf(seen, pods.get(node) ?? []) ?? {};
    if (old !== undefined && updated === undefined) {
      if (isAvailable(seen, old)) candidates.push(old);
      else {
        unavailableOld.push(old);
        unavailable++;
      }
    } else if (old !== undefined || updated === undefined || !isAvailable(seen, updated)) unavailable++;
  }
  const allowed = Math.max(0, limitsOf(set, wanted.size).unavailable - unavailable);
  return { remove: [...unavailableOld, ...candidates.slice(0, allowed)], create: [] };
}

interface Surge {
  readonly remove: Pod[];
  /** Available pods on nodes that should run none. */
  readonly unwanted: Pod[];
  /** Nodes whose old pod is unavailable, so that a second one does not count as surge. */
  readonly urgent: string[];
  readonly candidates: string[];
  surging: number;
  available: number;
}

/** Creates new pods beside old ones within the limit of surge. An old pod goes once the new one is available. */
function planSurge(seen: SeenRollout): RolloutPlan {
  const { set, pods, wanted } = seen;
  const surge: Surge = { remove: [], unwanted: [], urgent: [], candidates: [], surging: 0, available: 0 };
  for (const [node, present] of pods) surgeOn(seen, surge, node, pairOf(seen, present));
  const spare = Math.max(0, surge.available - wanted.size);
  const allowed = Math.max(0, limitsOf(set, wanted.size).surge - surge.surging);
  return {
    remove: [...surge.remove, ...surge.unwanted.slice(0, spare)],
    create: [...surge.urgent, ...surge.candidates.slice(0, allowed)],
  };
}

function surgeOn(seen: SeenRollout, surge: Surge, node: string, pair: PodPair | undefined): void {
  if (pair === undefined) {
    surge.surging++;
    return;
  }
  const { old, updated } = pair;
  const counted = old ?? updated;
  if (counted !== undefined && isAvailable(seen, counted)) surge.available++;
  if (old === undefined) return;
  if (updated !== undefined) {
    if (isAvailable(seen, updated)) surge.remove.push(old);
    else surge.surging++;
  } else if (!seen.nodes.has(node)) return;
  else if (!seen.wanted.has(node)) (isAvailable(seen, old) ? surge.unwanted : surge.remove).push(old);
  else (isAvailable(seen, old) ? surge.candidates : surge.urgent).push(node);
}
