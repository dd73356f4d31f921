import type { Pod, Taint, Toleration } from '@binnacle/client/kinds/core/v1';
import { Tolerations } from '@binnacle/api/pods';

export interface SeenPod {
  readonly pod: Pod;
  /** The taints of its node that evict pods; undefined if there is no such node. */
  readonly taints: readonly Taint[] | undefined;
  /** When the pod is to be evicted, if that was planned before. Times are milliseconds since the epoch. */
  readonly planned: number | undefined;
  readonly now: number;
}

/** `cancelled`: a planned eviction is off. `due`: when the pod is to be evicted; undefined if it may stay. */
export interface EvictionPlan {
  readonly cancelled: boolean;
  readonly due: number | undefined;
}

/** Upstream: `processPodOnNode`. */
export function planEviction({ pod, taints, planned, now }: SeenPod): EvictionPlan {
  // Upstream: the eviction from a deleted node continues.
  if (taints === undefined) return { cancelled: false, due: planned };
  const tolerated = tolerationTime(taints, new Tolerations(pod.spec?.tolerations));
  const isPlanned = planned !== undefined;
  if (tolerated === Infinity) return { cancelled: isPlanned, due: undefined };
  // It is being deleted already.
  if (pod.metadata.deletionTimestamp !== undefined) return { cancelled: false, due: planned };
  if (tolerated === 0) return { cancelled: isPlanned && planned > now, due: now };
  return { cancelled: false, due: planned ?? now + tolerated };
}

/** How long a pod stays on a node with these taints, in milliseconds; Infinity if it may stay. Upstream: `getMinTolerationTime`. */
function tolerationTime(taints: readonly Taint[], tolerations: Tolerations<Toleration>): number {
  let tolerated = Infinity;
  for (const taint of taints) {
    const used = tolerations.find(taint);
    if (used === undefined) return 0;
    const { tolerationSeconds: seconds } = used;
    if (seconds !== undefined) tolerated = Math.min(tolerated, Math.max(0, seconds) * 1000);
  }
  return tolerated;
}
