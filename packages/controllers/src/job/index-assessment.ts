import type { Job } from '@binnacle/client/kinds/batch/v1';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { rulingOn } from './failure-policy.js';
import { hasIndex, type Intervals, parseIndexes, withIndexes } from './indexes.js';
import { completionsOf } from './job-facts.js';
import {
  finishedAt,
  ignoredIndexFailures,
  indexFailures,
  isPodFailed,
  isPodSucceeded,
  isTracked,
  validIndexOf,
} from './job-pods.js';

/** How far the indexes of a Job are. */
export interface IndexAssessment {
  /** As the status says. */
  readonly succeededBefore: Intervals;
  readonly succeeded: Intervals;
  /** Undefined without a back-off limit per index. */
  readonly failed: Intervals | undefined;
  /**
   * The last failed pod of each index that shall have another one. It keeps its finalizer until then, since the next pod takes over its count of
   * failures.
   */
  readonly delayed: ReadonlyMap<number, Pod>;
}

export function assessIndexes(job: Job, pods: readonly Pod[], active: readonly Pod[]): IndexAssessment {
  const completions = completionsOf(job);
  const limit = job.spec?.backoffLimitPerIndex;
  const succeededBefore = parseIndexes(job.status?.completedIndexes, completions);
  const tracked = pods.filter(isTracked);
  const succeeded = withIndexes(succeededBefore, indexesOf(tracked.filter(isPodSucceeded), job));
  if (limit === undefined) return { succeededBefore, succeeded, failed: undefined, delayed: new Map() };
  const failedNow = tracked.filter((pod) => failsIndex(pod, job, limit));
  const failed = withIndexes(parseIndexes(job.status?.failedIndexes, completions), indexesOf(failedNow, job));
  const atWork = new Set(indexesOf(active, job));
  const isOpen = (index: number) => !hasIndex(succeeded, index) && !hasIndex(failed, index) && !atWork.has(index);
  return { succeededBefore, succeeded, failed, delayed: lastFailures(tracked, job, isOpen) };
}

/** The valid indexes of these pods. */
export function indexesOf(pods: readonly Pod[], job: Job): number[] {
  return pods.map((pod) => validIndexOf(pod, job)).filter((index) => index !== undefined);
}

function failsIndex(pod: Pod, job: Job, limit: number): boolean {
  if (!isPodFailed(pod, job)) return false;
  const { action, counts } = rulingOn(job.spec?.podFailurePolicy, pod);
  return action === 'FailIndex' || (counts && indexFailures(pod) >= limit);
}

function lastFailures(pods: readonly Pod[], job: Job, isOpen: (index: number) => boolean): Map<number, Pod> {
  const last = new Map<number, Pod>();
  for (const pod of pods) {
    const index = validIndexOf(pod, job);
    if (index === undefined || !isPodFailed(pod, job) || !isOpen(index)) continue;
    const other = last.get(index);
    if (other === undefined || isLaterFailure(pod, other)) last.set(index, pod);
  }
  return last;
}

function isLaterFailure(pod: Pod, other: Pod): boolean {
  return failuresOf(pod) >= failuresOf(other) && finishedAt(pod) >= finishedAt(other);
}

function failuresOf(pod: Pod): number {
  return indexFailures(pod) + ignoredIndexFailures(pod);
}
