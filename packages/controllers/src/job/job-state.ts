import type { Job } from '@binnacle/client/kinds/batch/v1';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import type { BackoffRecord } from './backoff.js';
import type { IndexAssessment } from './index-assessment.js';
import { isSuspended } from './job-facts.js';

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
  /** Undefined while the Job runs. */
  readonly verdict: Verdict | undefined;
}

/** How a Job ends. */
export interface Verdict {
  readonly outcome: 'Complete' | 'Failed';
  readonly reason: string;
  readonly message: string;
  /** The status has it already, as the condition `FailureTarget` or `SuccessCriteriaMet`. Then it is final. */
  readonly isRecorded: boolean;
}

/** Milliseconds until the Job is over its deadline; undefined if it has none or does not run. */
export function deadlineIn({ job, now }: SeenJob, startedAt: number | undefined): number | undefined {
  const { activeDeadlineSeconds } = job.spec ?? {};
  if (activeDeadlineSeconds === undefined || startedAt === undefined || isSuspended(job)) return undefined;
  return startedAt + activeDeadlineSeconds * 1000 - now;
}
