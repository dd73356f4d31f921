import type { Job } from '@binnacle/client/kinds/batch/v1';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { isPodActive, isPodReady, isPodTerminating, timeOf } from '../common/index.js';
import { type BackoffRecord, recordEnds } from './backoff.js';
import { rulingOn } from './failure-policy.js';
import { assessIndexes, type IndexAssessment } from './index-assessment.js';
import { countIndexes } from './indexes.js';
import { isIndexed, isSuspended } from './job-facts.js';
import { isCountable, isPodFailed, isPodSucceeded, isTracked } from './job-pods.js';
import { type Verdict, verdictOn } from './verdict.js';

/** What the caches show of a Job. */
export interface SeenJob {
  readonly job: Job;
  /** The pods that the Job has, also those that have ended or are being deleted. */
  readonly pods: readonly Pod[];
  readonly backoff: BackoffRecord;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The counts of pods at work. */
export interface PodCounts {
  readonly active: number;
  readonly ready: number;
  readonly terminating: number;
}

/** How far a Job is, before the loop acts. */
export interface Assessment {
  readonly active: readonly Pod[];
  readonly counts: PodCounts;
  /** Pods that have ended, also those that the status does not count yet. */
  readonly succeeded: number;
  readonly failed: number;
  /** Undefined unless the Job is indexed. */
  readonly indexes: IndexAssessment | undefined;
  readonly backoff: BackoffRecord;
  /** Milliseconds since the epoch; undefined for a Job that has not started. */
  readonly startedAt: number | undefined;
  /** Undefined while the Job goes on. */
  readonly verdict: Verdict | undefined;
}

export function assess(seen: SeenJob): Assessment {
  const { job, pods, backoff, now } = seen;
  const active = pods.filter(isPodActive);
  const ended = newlyEnded(seen);
  const { succeeded = 0, failed = 0 } = job.status ?? {};
  const uncounted = job.status?.uncountedTerminatedPods;
  const policy = job.spec?.podFailurePolicy;
  const failures = failed + ended.failed.filter((pod) => rulingOn(policy, pod).counts).length;
  const indexes = isIndexed(job) ? assessIndexes(job, pods, active) : undefined;
  const successes = succeeded + ended.succeeded.length + (uncounted?.succeeded?.length ?? 0);
  const progress = {
    active,
    counts: {
      active: active.length,
      ready: active.filter(isPodReady).length,
      terminating: pods.filter(isPodTerminating).length,
    },
    succeeded: indexes === undefined ? successes : countIndexes(indexes.succeeded),
    failed: failures + (uncounted?.failed?.length ?? 0),
    indexes,
    backoff: recordEnds(backoff, ended.succeeded, ended.failed),
    startedAt: timeOf(job.status?.startTime) ?? (isSuspended(job) ? undefined : now),
  };
  return { ...progress, verdict: verdictOn(seen, progress) };
}

/** Milliseconds until the Job is over its deadline; undefined if it has none or does not run. */
export function deadlineIn({ job, now }: SeenJob, startedAt: number | undefined): number | undefined {
  const { activeDeadlineSeconds } = job.spec ?? {};
  if (activeDeadlineSeconds === undefined || startedAt === undefined || isSuspended(job)) return undefined;
  return startedAt + activeDeadlineSeconds * 1000 - now;
}

/** The pods that have ended and that the status has not noted yet. */
function newlyEnded({ job, pods }: SeenJob): { readonly succeeded: readonly Pod[]; readonly failed: readonly Pod[] } {
  const { succeeded = [], failed = [] } = job.status?.uncountedTerminatedPods ?? {};
  const [known, knownFailed] = [new Set(succeeded), new Set(failed)];
  const candidates = pods.filter((pod) => isTracked(pod) && isCountable(pod, job));
  return {
    succeeded: candidates.filter((pod) => isPodSucceeded(pod) && !known.has(pod.metadata.uid ?? '')),
    failed: candidates.filter((pod) => isPodFailed(pod, job) && !knownFailed.has(pod.metadata.uid ?? '')),
  };
}
