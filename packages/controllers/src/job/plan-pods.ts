import type { Pod } from '@binnacle/client/kinds/core/v1';
import { inDeletionOrder, isPodTerminating } from '../common/index.js';
import type { Assessment, SeenJob } from './job-state.js';
import { remainingBackoff, remainingIndexBackoff } from './backoff.js';
import { indexesOf } from './index-assessment.js';
import { freeIndexes, mergeIndexes, withIndexes } from './indexes.js';
import { completionsOf, isIndexed, isSuspended, replacesOnlyFailedPods } from './job-facts.js';
import { completionIndexOf } from './job-pods.js';

/** What the loop does to the pods of a Job. */
export type PodPlan =
  /** The Job is over: its pods keep their finalizers until they are counted. */
  | { readonly kind: 'end'; readonly pods: readonly Pod[] }
  /** The pods are too many: they lose their finalizers, so that they do not count as failed. */
  | { readonly kind: 'remove'; readonly pods: readonly Pod[] }
  /** With these indexes, or this many without an index. */
  | { readonly kind: 'create'; readonly indexes: readonly (number | undefined)[] }
  /** Too early after a failure, in milliseconds. */
  | { readonly kind: 'wait'; readonly delay: number }
  | { readonly kind: 'nothing' };

/** A Job creates or deletes at most as many pods before it looks again. Upstream: `MaxPodCreateDeletePerSync`. */
const MAXIMUM_PODS = 500;
/** Upstream: `SyncJobBatchPeriod`. */
export const BATCH_MILLISECONDS = 1000;

export function planPods(seen: SeenJob, assessment: Assessment): PodPlan {
  const { job } = seen;
  const { active, verdict, counts } = assessment;
  if (verdict !== undefined) return { kind: 'end', pods: active };
  if (job.metadata.deletionTimestamp !== undefined) return { kind: 'nothing' };
  if (isSuspended(job)) return { kind: 'remove', pods: active };
  const wanted = wantedPods(seen, assessment);
  const surplus = podsToRemove(seen, active, Math.max(0, active.length - wanted)).slice(0, MAXIMUM_PODS);
  if (surplus.length > 0) return { kind: 'remove', pods: surplus };
  const leaving = replacesOnlyFailedPods(job) ? counts.terminating : 0;
  const missing = wanted - leaving - active.length;
  return missing > 0 ? planCreations(seen, assessment, Math.min(missing, MAXIMUM_PODS)) : { kind: 'nothing' };
}

/** A Job without completions is a work queue: after the first success it starts no more pods. */
function wantedPods({ job }: SeenJob, { active, succeeded }: Assessment): number {
  const { completions, parallelism = 1 } = job.spec ?? {};
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(completions - succeeded, parallelism));
}

function planCreations(seen: SeenJob, assessment: Assessment, count: number): PodPlan {
  const { job, pods, now } = seen;
  const { active, indexes, backoff } = assessment;
  const isLimitedPerIndex = job.spec?.backoffLimitPerIndex !== undefined;
  const delay = isLimitedPerIndex ? 0 : remainingBackoff(backoff, now);
  if (delay > 0) return waitFor(delay);
  if (indexes === undefined) return { kind: 'create', indexes: Array.from({ length: count }, () => undefined) };
  const leaving = replacesOnlyFailedPods(job) ? pods.filter(isPodTerminating) : [];
  const busy = withIndexes(indexes.succeeded, indexesOf([...active, ...leaving], job));
  const free = freeIndexes(mergeIndexes(busy, indexes.failed ?? []), count, completionsOf(job));
  if (!isLimitedPerIndex) return { kind: 'create', indexes: free };
  const waits = free.map((index) => ({ index, delay: remainingIndexBackoff(indexes.delayed.get(index), now) }));
  const ready = waits.filter((each) => each.delay === 0).map(({ index }) => index);
  if (ready.length > 0 || waits.length === 0) return { kind: 'create', indexes: ready };
  return waitFor(waits.reduce((least, each) => Math.min(least, each.delay), Infinity));
}

function waitFor(delay: number): PodPlan {
  return { kind: 'wait', delay: Math.max(delay, BATCH_MILLISECONDS) };
}

/** At least this many pods. Of an indexed Job also all pods without a valid index, and all but one of each index. */
function podsToRemove({ job }: SeenJob, active: readonly Pod[], atLeast: number): Pod[] {
  const misplaced = isIndexed(job) ? misplacedPods(active, completionsOf(job)) : [];
  const missing = atLeast - misplaced.length;
  if (missing <= 0) return misplaced;
  const gone = new Set(misplaced);
  return [...misplaced, ...inDeletionOrder(active.filter((pod) => !gone.has(pod))).slice(0, missing)];
}

function misplacedPods(active: readonly Pod[], completions: number): Pod[] {
  const misplaced: Pod[] = [];
  const places = new Map<number, Pod[]>();
  for (const pod of active) {
    const index = completionIndexOf(pod);
    if (index === undefined || index >= completions) misplaced.push(pod);
    else if (!places.get(index)?.push(pod)) places.set(index, [pod]);
  }
  for (const pods of places.values()) {
    if (pods.length > 1) misplaced.push(...inDeletionOrder(pods).slice(0, -1));
  }
  return misplaced;
}
