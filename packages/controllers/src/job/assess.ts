import type { Pod } from '@binnacle/client/kinds/core/v1';
import { isPodActive, isPodReady, isPodTerminating, timeOf } from '../common/index.js';
import { recordEnds } from './backoff.js';
import { rulingOn } from './failure-policy.js';
import { assessIndexes } from './index-assessment.js';
import { countIndexes } from './indexes.js';
import { isIndexed, isSuspended } from './job-facts.js';
import type { Assessment, SeenJob } from './job-state.js';
import { isCountable, isPodFailed, isPodSucceeded, isTracked } from './job-pods.js';
import { verdictOn } from './verdict.js';

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
