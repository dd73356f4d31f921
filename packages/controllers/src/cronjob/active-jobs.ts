import type { CronJob, CronJobStatus, Job } from '@binnacle/client/kinds/batch/v1';
import { finishedCondition, timeOf } from '../common/index.js';
import type { PlannedEvent } from '../common/index.js';

/** Finished Jobs beyond the limits, the oldest first. */
export function expiredJobs({ spec }: CronJob, jobs: readonly Job[]): Job[] {
  const ofType = (type: string) => jobs.filter((job) => finishedCondition(job)?.type === type);
  return [
    ...oldest(ofType('Complete'), spec.successfulJobsHistoryLimit),
    ...oldest(ofType('Failed'), spec.failedJobsHistoryLimit),
  ];
}

/**
 * The status once it knows of these Jobs: those that have ended are no longer active. `gone` are the uids of active
 * Jobs that do not exist. A running Job that the CronJob's runs did not create does not count.
 */
export function noteJobs(
  status: CronJobStatus,
  jobs: readonly Job[],
  gone: ReadonlySet<string>,
): { readonly status: CronJobStatus; readonly events: readonly PlannedEvent[] } {
  const events: PlannedEvent[] = [];
  const active = new Map((status.active ?? []).map((reference) => [reference.uid ?? '', reference]));
  let { lastSuccessfulTime } = status;
  for (const job of jobs) {
    const { name = '', uid = '' } = job.metadata;
    const condition = finishedCondition(job);
    if (condition === undefined) {
      const message = `Saw a job that the controller did not create or forgot: ${name}`;
      if (!active.has(uid)) events.push({ type: 'Warning', reason: 'UnexpectedJob', message });
      continue;
    }
    if (active.delete(uid)) {
      const message = `Saw completed job: ${name}, condition: ${condition.type}`;
      events.push({ type: 'Normal', reason: 'SawCompletedJob', message });
    }
    if (condition.type === 'Complete') lastSuccessfulTime = later(lastSuccessfulTime, job.status?.completionTime);
  }
  for (const uid of gone) {
    const name = active.get(uid)?.name ?? '';
    const message = `Active job went missing: ${name}`;
    if (active.delete(uid)) events.push({ type: 'Normal', reason: 'MissingJob', message });
  }
  return { status: statusOf(status, [...active.values()], lastSuccessfulTime), events };
}

/** The status without these active Jobs. */
export function withoutActive(status: CronJobStatus, uids: ReadonlySet<string>): CronJobStatus {
  const active = status.active?.filter(({ uid = '' }) => !uids.has(uid)) ?? [];
  return statusOf(status, active, status.lastSuccessfulTime);
}

function statusOf(
  { lastScheduleTime }: CronJobStatus,
  active: NonNullable<CronJobStatus['active']>,
  lastSuccessfulTime: string | undefined,
): CronJobStatus {
  return {
    ...(active.length === 0 ? {} : { active }),
    ...(lastScheduleTime === undefined ? {} : { lastScheduleTime }),
    ...(lastSuccessfulTime === undefined ? {} : { lastSuccessfulTime }),
  };
}

function oldest(jobs: readonly Job[], limit: number | undefined): Job[] {
  if (limit === undefined || jobs.length <= limit) return [];
  return jobs.toSorted(byStart).slice(0, jobs.length - limit);
}

/** A Job that has not started comes last. */
function byStart(one: Job, other: Job): number {
  const [first, second] = [one, other].map(({ status }) => timeOf(status?.startTime) ?? Infinity);
  const { name: left = '' } = one.metadata;
  const { name: right = '' } = other.metadata;
  if (first !== second) return (first ?? 0) < (second ?? 0) ? -1 : 1;
  return left < right ? -1 : 1;
}

function later(one: string | undefined, other: string | undefined): string | undefined {
  const [first, second] = [timeOf(one), timeOf(other)];
  return first === undefined || (second !== undefined && second > first) ? other : one;
}
