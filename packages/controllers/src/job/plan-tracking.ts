import type { Pod } from '@binnacle/client/kinds/core/v1';
import type { Assessment, SeenJob, Verdict } from './job-state.js';
import { rulingOn } from './failure-policy.js';
import { hasIndex } from './indexes.js';
import { isIndexed } from './job-facts.js';
import { completionIndexOf, isCountable, isPodFailed, isPodSucceeded, isTracked, validIndexOf } from './job-pods.js';
import { countUntracked, type Totals, type Uncounted } from './uncounted.js';

/** Which pods the status accounts for now. */
export interface TrackingPlan {
  readonly uncounted: Uncounted;
  readonly totals: Totals;
  readonly untrack: readonly Pod[];
  readonly hasMore: boolean;
}

/** The list of uids must not make the status too large. Upstream: `MaxUncountedPods`. */
const MAXIMUM_UNCOUNTED = 500;

/**
 * Finds the pods that lose their finalizer. Those that end the first time go to the list of uncounted pods, which the status has before their
 * finalizers go. The index of a pod that succeeded does as well, since the status lists the index.
 */
export function planTracking(seen: SeenJob, assessment: Assessment, verdict: Verdict | undefined): TrackingPlan {
  const { job } = seen;
  const tracked = seen.pods.filter(isTracked);
  const { uncounted, totals } = countUntracked(job.status ?? {}, new Set(tracked.map(uidOf)));
  const succeeded = new Set(uncounted.succeeded);
  const failed = new Set(uncounted.failed);
  const newIndexes = new Set<number>();
  const untrack: Pod[] = [];
  const isFull = () => newIndexes.size + succeeded.size + failed.size >= MAXIMUM_UNCOUNTED;
  let hasMore = false;
  for (const pod of isIndexed(job) ? tracked.toSorted(byIndex) : tracked) {
    if (!mayUntrack(seen, assessment, verdict, pod)) continue;
    untrack.push(pod);
    const index = validIndexOf(pod, job);
    if (isPodSucceeded(pod) && !failed.has(uidOf(pod))) {
      if (!isIndexed(job)) succeeded.add(uidOf(pod));
      else if (index !== undefined && isNewIndex(assessment, index)) newIndexes.add(index);
    } else if (countsAsFailed(seen, verdict, pod)) {
      failed.add(uidOf(pod));
    }
    hasMore = isFull();
    if (hasMore) break;
  }
  return { uncounted: { succeeded: [...succeeded], failed: [...failed] }, totals, untrack, hasMore };
}

/** Whether nothing depends on the pod any longer: it has ended, or its Job has. */
function mayUntrack({ job }: SeenJob, { indexes }: Assessment, verdict: Verdict | undefined, pod: Pod): boolean {
  if (job.metadata.deletionTimestamp !== undefined || verdict !== undefined || isPodSucceeded(pod)) return true;
  if (!isPodFailed(pod, job)) return false;
  const index = completionIndexOf(pod);
  const delayed = index === undefined ? undefined : indexes?.delayed.get(index);
  return delayed === undefined || uidOf(delayed) !== uidOf(pod);
}

/** All pods of a failed Job have failed. */
function countsAsFailed({ job }: SeenJob, verdict: Verdict | undefined, pod: Pod): boolean {
  if (!isPodFailed(pod, job) && verdict?.outcome !== 'Failed') return false;
  return isCountable(pod, job) && rulingOn(job.spec?.podFailurePolicy, pod).counts;
}

function isNewIndex({ indexes }: Assessment, index: number): boolean {
  return indexes === undefined || !hasIndex(indexes.succeededBefore, index);
}

function byIndex(one: Pod, other: Pod): number {
  return (completionIndexOf(one) ?? -1) - (completionIndexOf(other) ?? -1);
}

function uidOf({ metadata }: Pod): string {
  return metadata.uid ?? '';
}
