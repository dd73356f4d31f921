import type { Pod } from '@binnacle/client/kinds/core/v1';
import { rulingOn } from './failure-policy.js';
import { countIndexes } from './indexes.js';
import { completionsOf, trueCondition } from './job-facts.js';
import { isPodFailed } from './job-pods.js';
import { type Assessment, deadlineIn, type SeenJob, type Verdict } from './job-state.js';
import { successBy } from './success-policy.js';

/** The condition that announces an outcome before the pods are counted. */
export const announcements = { Complete: 'SuccessCriteriaMet', Failed: 'FailureTarget' } as const;

/** A Job that has as many successes as it needs. */
export const completionsReached: Verdict = {
  outcome: 'Complete',
  reason: 'CompletionsReached',
  message: 'Reached expected number of succeeded pods',
  isRecorded: false,
};

type Progress = Omit<Assessment, 'verdict'>;

/** The first that applies, in upstream's order. Whether the Job has its completions is decided after it has acted on its pods. */
export function verdictOn(seen: SeenJob, progress: Progress): Verdict | undefined {
  return (
    recorded(seen, 'Complete') ??
    recorded(seen, 'Failed') ??
    failureByPolicy(seen) ??
    failureByLimit(seen, progress) ??
    failureByIndexes(seen, progress) ??
    successByPolicy(seen, progress)
  );
}

function recorded({ job }: SeenJob, outcome: Verdict['outcome']): Verdict | undefined {
  const condition = trueCondition(job, announcements[outcome]);
  return condition && { outcome, reason: condition.reason ?? '', message: condition.message ?? '', isRecorded: true };
}

function failureByPolicy({ job, pods }: SeenJob): Verdict | undefined {
  const policy = job.spec?.podFailurePolicy;
  if (policy === undefined) return undefined;
  for (const pod of pods) {
    const message = isPodFailed(pod, job) ? rulingOn(policy, pod).failsJob : undefined;
    if (message !== undefined) return failure('PodFailurePolicy', message);
  }
  return undefined;
}

function failureByLimit(seen: SeenJob, { failed, startedAt }: Progress): Verdict | undefined {
  const { backoffLimit = 6 } = seen.job.spec ?? {};
  if (failed > backoffLimit || hasTooManyRestarts(seen, backoffLimit)) {
    return failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  }
  if ((deadlineIn(seen, startedAt) ?? 1) > 0) return undefined;
  return failure('DeadlineExceeded', 'Job was active longer than specified deadline');
}

/** Containers that restart in their pods do not make pods fail, so their restarts count instead. */
function hasTooManyRestarts({ job, pods }: SeenJob, limit: number): boolean {
  if (job.spec?.template.spec?.restartPolicy !== 'OnFailure') return false;
  const restarts = pods.reduce((sum, pod) => sum + restartsOf(pod), 0);
  return restarts >= Math.max(limit, 1);
}

function restartsOf({ status }: Pod): number {
  if (status?.phase !== 'Running' && status?.phase !== 'Pending') return 0;
  const statuses = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  return statuses.reduce((sum, { restartCount }) => sum + restartCount, 0);
}

function failureByIndexes({ job }: SeenJob, { indexes }: Progress): Verdict | undefined {
  if (indexes?.failed === undefined) return undefined;
  const failed = countIndexes(indexes.failed);
  if (failed > (job.spec?.maxFailedIndexes ?? Infinity)) {
    const message = 'Job has exceeded the specified maximal number of failed indexes';
    return failure('MaxFailedIndexesExceeded', message);
  }
  if (failed === 0 || failed + countIndexes(indexes.succeeded) < completionsOf(job)) return undefined;
  return failure('FailedIndexes', 'Job has failed indexes');
}

function successByPolicy({ job }: SeenJob, { indexes }: Progress): Verdict | undefined {
  if (indexes === undefined) return undefined;
  const message = successBy(job.spec?.successPolicy, completionsOf(job), indexes.succeeded);
  return message === undefined
    ? undefined
    : { outcome: 'Complete', reason: 'SuccessPolicy', message, isRecorded: false };
}

function failure(reason: string, message: string): Verdict {
  return { outcome: 'Failed', reason, message, isRecorded: false };
}
