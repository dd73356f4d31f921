import { CronParseError, parseSchedule, type Schedule } from '@binnacle/apimachinery/cron';
import { quoteGo } from '@binnacle/apimachinery/status';
import { TimeZone } from '@binnacle/apimachinery/time';
import type { CronJob } from '@binnacle/client/kinds/batch/v1';
import { type PlannedEvent, timeOf } from '../common/index.js';
import { jobName } from './job-of-run.js';
import { hasManyMissed, InvalidScheduleError, missedRuns, untilNextRun } from './missed-runs.js';

export interface RunPlan {
  /** The time of the run whose Job is to be created, in milliseconds since the epoch. */
  readonly start: number | undefined;
  /** Whether the active Jobs go first. */
  readonly replaces: boolean;
  /** Milliseconds until the next run; undefined if there will be none before the CronJob changes. */
  readonly next: number | undefined;
  readonly events: readonly PlannedEvent[];
}

const nothing: RunPlan = { start: undefined, replaces: false, next: undefined, events: [] };

/** Decides whether a run is due. The CronJob's status lists its active Jobs as they are now. */
export function planRun(cronJob: CronJob, now: number): RunPlan {
  const { spec, metadata } = cronJob;
  const { timeZone } = spec;
  if (metadata.deletionTimestamp !== undefined) return nothing;
  if (timeZone !== undefined && TimeZone.of(timeZone) === undefined) {
    const message = `invalid timeZone: ${quoteGo(timeZone)}: unknown time zone ${timeZone}`;
    return { ...nothing, events: [warning('UnknownTimeZone', message)] };
  }
  if (spec.suspend === true) return nothing;
  const unsupported = unsupportedSchedule(cronJob);
  try {
    const plan = planScheduled(cronJob, scheduleOf(cronJob), now);
    return { ...plan, events: [...unsupported, ...plan.events] };
  } catch (error) {
    return { ...nothing, events: [...unsupported, invalidSchedule(cronJob, error)] };
  }
}

/** When a CronJob whose schedule has changed runs the next time. Runs that only the new schedule has are not made up for. */
export function planChange(cronJob: CronJob, now: number): RunPlan {
  try {
    return { ...nothing, next: untilNextRun(cronJob, scheduleOf(cronJob), now) };
  } catch (error) {
    if (!(error instanceof CronParseError)) throw error;
    const message = `unparseable schedule for cronjob: ${cronJob.spec.schedule}`;
    return { ...nothing, events: [warning('UnParseableCronJobSchedule', message)] };
  }
}

/** Throws a `CronParseError`. A zone in the schedule itself comes before `spec.timeZone`. */
function scheduleOf({ spec: { schedule, timeZone } }: CronJob): Schedule {
  return parseSchedule(schedule, timeZone !== undefined && TimeZone.of(timeZone) !== undefined ? timeZone : undefined);
}

function planScheduled(cronJob: CronJob, schedule: Schedule, now: number): RunPlan {
  const { spec, status } = cronJob;
  const missed = missedRuns(cronJob, schedule, now, { withDeadline: true });
  const { latest } = missed;
  const next = untilNextRun(cronJob, schedule, now);
  const wait = (...events: PlannedEvent[]): RunPlan => ({ ...nothing, next, events: [...tooMany, ...events] });
  const tooMany = latest !== undefined && hasManyMissed(missed) ? [tooManyMissed] : [];
  if (latest === undefined) return wait();
  if (latest + (spec.startingDeadlineSeconds ?? Infinity) * 1000 < now) {
    const message = `Missed scheduled time to start a job: ${rfc1123(latest)}`;
    return wait(warning('MissSchedule', message));
  }
  const active = status?.active ?? [];
  const isDone = active.some(({ name }) => name === jobName(cronJob, latest));
  if (isDone || timeOf(status?.lastScheduleTime) === latest) return wait();
  if (spec.concurrencyPolicy === 'Forbid' && active.length > 0) return wait(alreadyActive);
  return { start: latest, replaces: spec.concurrencyPolicy === 'Replace', next, events: tooMany };
}

const tooManyMissed = warning(
  'TooManyMissedTimes',
  'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
);

const alreadyActive: PlannedEvent = {
  type: 'Normal',
  reason: 'JobAlreadyActive',
  message: 'Not starting job because prior execution is running and concurrency policy is Forbid',
};

function unsupportedSchedule({ spec: { schedule } }: CronJob): PlannedEvent[] {
  if (!schedule.includes('TZ')) return [];
  const page = 'https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/';
  const message = `CRON_TZ or TZ used in schedule ${quoteGo(schedule)} is not officially supported, see ${page} for more details`;
  return [warning('UnsupportedSchedule', message)];
}

function invalidSchedule({ spec: { schedule } }: CronJob, error: unknown): PlannedEvent {
  if (error instanceof CronParseError) {
    return warning('UnparseableSchedule', `unparseable schedule: ${quoteGo(schedule)} : ${error.message}`);
  }
  if (error instanceof InvalidScheduleError) {
    return warning('InvalidSchedule', `invalid schedule: ${schedule} : ${error.message}`);
  }
  throw error;
}

function warning(reason: string, message: string): PlannedEvent {
  return { type: 'Warning', reason, message };
}

/** Go's `RFC1123Z`, in UTC. */
function rfc1123(time: number): string {
  return new Date(time).toUTCString().replace(/GMT$/, '+0000');
}
