import { formatTime } from '@binnacle/apimachinery/time';
import type { JobCondition, JobStatus } from '@binnacle/client/kinds/batch/v1';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { omitZero } from '../common/index.js';
import type { Assessment, PodCounts, SeenJob, Verdict } from './job-state.js';
import { conditionNow, withJobCondition } from './conditions.js';
import { countIndexes, formatIndexes } from './indexes.js';
import { isSuspended } from './job-facts.js';
import { planTracking } from './plan-tracking.js';
import { countUntracked, uncountedOf } from './uncounted.js';
import { announcements, completionsReached } from './verdict.js';

/** The result of the plan for the pods. */
export interface PodOutcome {
  readonly counts: PodCounts;
  /** Whether the plan was carried out in full. A Job does not end before all its pods are being deleted. */
  readonly isComplete: boolean;
}

/** The status before pods lose their finalizers. */
export interface StatusPlan {
  readonly status: JobStatus;
  /** The pods that the status accounts for. They lose their finalizers once it is written. */
  readonly untrack: readonly Pod[];
  /** There may be more pods to account for than one status lists. */
  readonly hasMore: boolean;
  /** Undefined while the Job runs. */
  readonly verdict: Verdict | undefined;
  /** The Job was just suspended or resumed. */
  readonly change: 'Suspended' | 'Resumed' | undefined;
}

export function planStatus(seen: SeenJob, assessment: Assessment, outcome: PodOutcome): StatusPlan {
  const { counts } = outcome;
  const verdict = finalVerdict(seen, assessment, outcome);
  const suspension = planSuspension(seen, assessment, verdict);
  const { uncounted, totals, untrack, hasMore } = planTracking(seen, assessment, verdict);
  const { indexes } = assessment;
  const conditions = announce(suspension.conditions, verdict, seen.now);
  const succeeded = indexes === undefined ? totals.succeeded : countIndexes(indexes.succeeded);
  const completed = indexes === undefined ? '' : formatIndexes(indexes.succeeded);
  const status: JobStatus = {
    ...(suspension.startedAt === undefined ? {} : { startTime: formatTime(suspension.startedAt) }),
    ...(conditions.length === 0 ? {} : { conditions }),
    ...omitZero({ active: counts.active, succeeded, failed: totals.failed }),
    ...(completed === '' ? {} : { completedIndexes: completed }),
    ...(indexes?.failed === undefined ? {} : { failedIndexes: formatIndexes(indexes.failed) }),
    uncountedTerminatedPods: uncountedOf(uncounted),
    ready: counts.ready,
    terminating: counts.terminating,
  };
  return { status, untrack, hasMore, verdict, change: suspension.change };
}

/**
 * The status once pods have lost their finalizers: those count now, and the Job may end. `tracked` are the uids of the pods that still have
 * the finalizer.
 */
export function finishStatus(
  { hasMore, verdict }: StatusPlan,
  written: JobStatus,
  tracked: ReadonlySet<string>,
  now: number,
): { readonly status: JobStatus; readonly isFinished: boolean } {
  const { uncounted, totals } = countUntracked(written, tracked);
  const { succeeded: _, failed: __, ...kept } = written;
  const status: JobStatus = { ...kept, ...omitZero({ ...totals }), uncountedTerminatedPods: uncountedOf(uncounted) };
  const waitsFor = uncounted.succeeded.length + uncounted.failed.length + (written.terminating ?? 0);
  if (verdict === undefined || hasMore || waitsFor > 0) return { status, isFinished: false };
  const { outcome, reason, message } = verdict;
  const conditions = withJobCondition(status.conditions ?? [], { type: outcome, status: 'True', reason, message }, now);
  const completion = outcome === 'Complete' ? { completionTime: formatTime(now) } : {};
  return { status: { ...status, ...completion, conditions }, isFinished: true };
}

/** A Job that has the successes it needs, and no pod at work, is complete. */
function finalVerdict(
  { job }: SeenJob,
  { verdict, succeeded }: Assessment,
  { counts, isComplete }: PodOutcome,
): Verdict | undefined {
  if (verdict !== undefined) return isComplete ? verdict : undefined;
  const needed = job.spec?.completions ?? 1;
  return succeeded >= needed && counts.active === 0 ? completionsReached : undefined;
}

interface Suspension {
  readonly conditions: readonly JobCondition[];
  readonly startedAt: number | undefined;
  readonly change: StatusPlan['change'];
}

/** The time in suspension does not count towards the deadline, so a Job that resumes starts again. */
function planSuspension(
  { job, now }: SeenJob,
  { verdict: assessed, startedAt }: Assessment,
  verdict: Verdict | undefined,
): Suspension {
  const { conditions = [] } = job.status ?? {};
  const stays = { conditions, startedAt, change: undefined };
  if (assessed !== undefined || verdict !== undefined || job.metadata.deletionTimestamp !== undefined) return stays;
  const suspended = { status: 'True', reason: 'JobSuspended', message: 'Job suspended' };
  const resumed = { status: 'False', reason: 'JobResumed', message: 'Job resumed' };
  const condition = { type: 'Suspended', ...(isSuspended(job) ? suspended : resumed) };
  const changed = withJobCondition(conditions, condition, now);
  if (changed === conditions) return stays;
  return isSuspended(job)
    ? { conditions: changed, startedAt: undefined, change: 'Suspended' }
    : { conditions: changed, startedAt: now, change: 'Resumed' };
}

/** The status records the outcome before pods lose their finalizers, because the pods may be gone after that. */
function announce(
  conditions: readonly JobCondition[],
  verdict: Verdict | undefined,
  now: number,
): readonly JobCondition[] {
  if (verdict === undefined || verdict.isRecorded) return conditions;
  const { outcome, reason, message } = verdict;
  return [...conditions, conditionNow({ type: announcements[outcome], status: 'True', reason, message }, now)];
}
