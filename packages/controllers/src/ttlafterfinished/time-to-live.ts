import type { Job } from '@binnacle/client/kinds/batch/v1';
import { finishedCondition, timeOf } from '../common/index.js';

/** Milliseconds until a Job is to be deleted, 0 or less if it is time; undefined if this loop does not delete it. */
export function timeToLive(job: Job, now: number): number | undefined {
  const { ttlSecondsAfterFinished } = job.spec ?? {};
  const finishedAt = timeOf(finishedCondition(job)?.lastTransitionTime);
  if (job.metadata.deletionTimestamp !== undefined) return undefined;
  if (ttlSecondsAfterFinished === undefined || finishedAt === undefined) return undefined;
  return finishedAt + ttlSecondsAfterFinished * 1000 - now;
}
