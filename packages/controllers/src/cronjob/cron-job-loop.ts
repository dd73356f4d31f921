import { messageOf } from '@binnacle/apimachinery/errors';
import { formatTime } from '@binnacle/apimachinery/time';
import { objectKey } from '@binnacle/client/cache';
import { Controller, isControlledBy, type ReconcileRequest, type ReconcileResult } from '@binnacle/client/controller';
import { CronJob, type CronJobStatus, Job } from '@binnacle/client/kinds/batch/v1';
import { hasCause, isAlreadyExists } from '@binnacle/client/rest';
import {
  controlledBy,
  controllerIndexes,
  type OwnerContext,
  reconcileOwner,
  recordEvents,
  requeue,
  unlessGone,
} from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';
import { expiredJobs, noteJobs, withoutActive } from './active-jobs.js';
import { jobOfRun, referenceTo } from './job-of-run.js';
import { planChange, planRun, type RunPlan } from './plan.js';

/** Upstream: `--concurrent-cron-job-syncs`. */
const CONCURRENCY = 5;

/** The schedules that the loop has seen, by the `namespace/name` of their CronJobs. */
type Schedules = Map<string, { readonly uid: string | undefined; readonly text: string }>;

export const createCronJobLoop: CreateLoop = (context) => {
  const { informers, events } = context;
  const recorder = events.recorder({ component: 'cronjob-controller' });
  const schedules: Schedules = new Map();
  const gone = (request: ReconcileRequest) => void schedules.delete(objectKey({ metadata: request }));
  return new Controller({
    name: 'cronjob',
    for: CronJob,
    owns: [Job],
    reads: [{ resource: Job, indexes: controllerIndexes }],
    concurrency: CONCURRENCY,
    reconcile: reconcileOwner({ resource: CronJob, writes: [Job], informers, gone }, (cronJob, owner) =>
      reconcileCronJob(cronJob, { ...owner, recorder }, schedules),
    ),
  }).bind(context);
};

async function reconcileCronJob(
  cronJob: CronJob,
  context: OwnerContext,
  schedules: Schedules,
): Promise<ReconcileResult> {
  const now = context.clock.now();
  if (isNewSchedule(cronJob, schedules)) {
    const { next, events } = planChange(cronJob, now);
    recordEvents(context.recorder, cronJob, events);
    return requeue(next);
  }
  const jobs = controlledBy(context.indexer(Job), cronJob);
  const removed = await deleteJobs(cronJob, expiredJobs(cronJob, jobs), context);
  const noted = noteJobs(
    withoutActive(cronJob.status ?? {}, removed.deleted),
    jobs,
    await missingJobs(cronJob, jobs, context),
  );
  const current = { ...cronJob, status: noted.status };
  const plan = planRun(current, now);
  const { status, error } = await run(current, plan, jobs, context);
  await context.writer.changeStatus(CronJob, cronJob, status);
  recordEvents(context.recorder, cronJob, [...noted.events, ...plan.events]);
  if (error !== undefined) throw error;
  return requeue(plan.next);
}

/** Whether the schedule has changed since the last look at this CronJob. */
function isNewSchedule(cronJob: CronJob, schedules: Schedules): boolean {
  const { metadata, spec } = cronJob;
  const key = objectKey(cronJob);
  const text = JSON.stringify([spec.schedule, spec.timeZone]);
  const known = schedules.get(key);
  schedules.set(key, { uid: metadata.uid, text });
  return known !== undefined && known.uid === metadata.uid && known.text !== text;
}

/** The uids of active Jobs that do not exist. The cache may be behind, so the server is asked. */
async function missingJobs(cronJob: CronJob, jobs: readonly Job[], context: OwnerContext): Promise<Set<string>> {
  const known = new Set(jobs.map(({ metadata }) => metadata.uid));
  const missing = new Set<string>();
  for (const { uid = '', name = '' } of cronJob.status?.active ?? []) {
    if (!known.has(uid) && (await readJob(cronJob, name, context)) === undefined) missing.add(uid);
  }
  return missing;
}

async function readJob(cronJob: CronJob, name: string, { writer }: OwnerContext): Promise<Job | undefined> {
  const { namespace = '' } = cronJob.metadata;
  return unlessGone(writer.read(Job, { apiVersion: 'batch/v1', kind: 'Job', metadata: { namespace, name } }));
}

/** Deletes Jobs as far as it can. */
async function deleteJobs(
  cronJob: CronJob,
  jobs: readonly Job[],
  { writer, recorder }: OwnerContext,
): Promise<{ readonly deleted: ReadonlySet<string>; readonly error: Error | undefined }> {
  const deleted = new Set<string>();
  let first: Error | undefined;
  for (const job of jobs) {
    const { uid = '', name = '' } = job.metadata;
    try {
      const isDeleted = await writer.delete(Job, job, { propagationPolicy: 'Background' });
      deleted.add(uid);
      if (isDeleted) recorder.event(cronJob, 'Normal', 'SuccessfulDelete', `Deleted job ${name}`);
    } catch (error) {
      recorder.event(cronJob, 'Warning', 'FailedDelete', `Deleted job: ${messageOf(error)}`);
      first ??= error as Error;
    }
  }
  return { deleted, error: first };
}

interface Ran {
  readonly status: CronJobStatus;
  /** Why the Job could not be created. */
  readonly error: Error | undefined;
}

async function run(
  cronJob: CronJob,
  { start, replaces }: RunPlan,
  jobs: readonly Job[],
  context: OwnerContext,
): Promise<Ran> {
  const { status = {} } = cronJob;
  if (start === undefined) return { status, error: undefined };
  const active = new Set(status.active?.map(({ uid }) => uid));
  const replaced = replaces ? jobs.filter(({ metadata }) => active.has(metadata.uid)) : [];
  const { deleted, error } = await deleteJobs(cronJob, replaced, context);
  const left = withoutActive(status, deleted);
  if (error !== undefined) return { status: left, error };
  try {
    const job = await startJob(cronJob, start, context);
    if (job === undefined) return { status: left, error: undefined };
    const reference = referenceTo(job);
    return {
      status: { ...left, active: [...(left.active ?? []), reference], lastScheduleTime: formatTime(start) },
      error: undefined,
    };
  } catch (failure) {
    return { status: left, error: failure as Error };
  }
}

/** Resolves to undefined if another owner's Job has the name, or if the status lists the Job. */
async function startJob(cronJob: CronJob, start: number, context: OwnerContext): Promise<Job | undefined> {
  const { writer, recorder } = context;
  const job = jobOfRun(cronJob, start);
  try {
    const created = await writer.create(Job, job);
    recorder.event(cronJob, 'Normal', 'SuccessfulCreate', `Created job ${created.metadata.name ?? ''}`);
    return created;
  } catch (error) {
    if (hasCause(error, 'NamespaceTerminating')) throw error;
    if (!isAlreadyExists(error)) {
      recorder.event(cronJob, 'Warning', 'FailedCreate', `Error creating job: ${messageOf(error)}`);
      throw error;
    }
  }
  // An earlier loop may have created it, and ended before it wrote the status.
  const present = await readJob(cronJob, job.metadata.name ?? '', context);
  if (present === undefined || !isControlledBy(present, cronJob)) return undefined;
  const isListed = cronJob.status?.active?.some(({ uid }) => uid === present.metadata.uid) === true;
  return isListed ? undefined : present;
}
