import type { Schedule } from '@binnacle/apimachinery/cron';
import type { CronJob } from '@binnacle/client/kinds/batch/v1';
import { timeOf } from '../common/index.js';

/** A schedule whose times have no distance, such as one without any time. */
export class InvalidScheduleError extends Error {
  override readonly name = 'InvalidScheduleError';
}

/** The runs between the last one and now. */
export interface MissedRuns {
  /** The last run, or the creation of the CronJob, or the start of the deadline: from here on runs count. */
  readonly since: number;
  /** The latest run that is due. */
  readonly latest: number | undefined;
  /** Estimated from the distance between two runs. */
  readonly count: number;
}

/** More than these are worth a warning. */
const MANY = 100;
/** The clocks of machines differ a little. Upstream: `nextScheduleDelta`. */
const DELTA_MILLISECONDS = 100;

export function hasManyMissed({ count }: MissedRuns): boolean {
  return count > MANY;
}

/**
 * Finds the latest run that is due, without a walk over all that were missed: there may be years of them. Throws an
 * {@link InvalidScheduleError}. Upstream: `mostRecentScheduleTime`.
 */
export function missedRuns(
  { metadata, spec, status }: CronJob,
  schedule: Schedule,
  now: number,
  { withDeadline }: { readonly withDeadline: boolean },
): MissedRuns {
  const last = timeOf(status?.lastScheduleTime) ?? timeOf(metadata.creationTimestamp) ?? now;
  const deadline = withDeadline ? (spec.startingDeadlineSeconds ?? Infinity) * 1000 : Infinity;
  const since = Math.max(last, now - deadline);
  const first = schedule.next(since);
  const second = first === undefined ? undefined : schedule.next(first);
  if (first !== undefined && now < first) return { since, latest: undefined, count: 0 };
  if (first !== undefined && second !== undefined && now < second) return { since, latest: first, count: 0 };
  const distance = first === undefined || second === undefined ? 0 : second - first;
  if (first === undefined || distance < 1000) {
    throw new InvalidScheduleError('time difference between two schedules is less than 1 second');
  }
  const count = Math.floor((now - first) / distance) + 1;
  return { since, latest: latestRun(schedule, first + (count - 2) * distance, now), count };
}

/** The last run after `begin` until `end`. It bisects the time between, since one estimate may cover the runs of a year. */
function latestRun(schedule: Schedule, begin: number, end: number): number | undefined {
  let latest: number | undefined;
  for (let [low, high] = [begin, end]; high >= low; ) {
    const middle = latest === undefined ? low : Math.floor((low + high) / 2);
    const run = schedule.next(middle);
    if (run !== undefined && run <= end) low = latest = run;
    else high = middle - 1;
  }
  return latest;
}

/** Milliseconds until the next run. */
export function untilNextRun(cronJob: CronJob, schedule: Schedule, now: number): number | undefined {
  const next = schedule.next(lastRun(cronJob, schedule, now));
  return next === undefined ? undefined : Math.max(0, next + DELTA_MILLISECONDS - now);
}

function lastRun(cronJob: CronJob, schedule: Schedule, now: number): number {
  try {
    const { since, latest, count } = missedRuns(cronJob, schedule, now, { withDeadline: false });
    return latest ?? (count === 0 ? since : now);
  } catch (error) {
    if (error instanceof InvalidScheduleError) return now;
    throw error;
  }
}
