import { objectKey } from '@binnacle/client/cache';
import { Controller, type Reconcile, type ReconcileRequest, type ReconcileResult } from '@binnacle/client/controller';
import { Job } from '@binnacle/client/kinds/batch/v1';
import { Pod } from '@binnacle/client/kinds/core/v1';
import { ExponentialLimiter } from '@binnacle/client/workqueue';
import {
  claimable,
  claimObjects,
  controllerIndexes,
  orphanRequests,
  type OwnerContext,
  reconcileOwner,
  selectorOf,
} from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';
import { actOnPods } from './act-on-pods.js';
import { assess } from './assess.js';
import { deadlineIn, type SeenJob } from './job-state.js';
import { type BackoffRecord, noFailures } from './backoff.js';
import { Batching } from './batching.js';
import { isFinished, isManagedByOther } from './job-facts.js';
import { TRACKING_FINALIZER } from './job-pods.js';
import { createOrphanController } from './orphan-pods.js';
import { BATCH_MILLISECONDS, planPods } from './plan-pods.js';
import { writeProgress } from './write-progress.js';

/** Upstream: `--concurrent-job-syncs`. */
const CONCURRENCY = 5;
/** Milliseconds. Upstream: `MaxJobApiBackOff`. */
const MAXIMUM_RETRY = 60_000;

/** The failures of running Jobs by `namespace/name`. Lost in a restart: then the next pod comes at once. */
type Backoffs = Map<string, { readonly uid: string | undefined; readonly record: BackoffRecord }>;

export const createJobLoop: CreateLoop = (context) => {
  const { informers, events } = context;
  const recorder = events.recorder({ component: 'job-controller' });
  const backoffs: Backoffs = new Map();
  const batching = new Batching();
  const gone = (request: ReconcileRequest) => {
    const key = objectKey({ metadata: request });
    batching.forget(key);
    backoffs.delete(key);
  };
  const reconcile = reconcileOwner({ resource: Job, writes: [Pod], informers, gone }, (job, owner) =>
    reconcileJob(job, { ...owner, recorder }, backoffs),
  );
  const jobs = new Controller({
    name: 'job',
    for: Job,
    owns: [Pod],
    watches: [
      {
        resource: Pod,
        map: orphanRequests(
          () => informers.informer(Job).lister,
          ({ spec }) => selectorOf(spec?.selector),
        ),
      },
    ],
    reads: [{ resource: Pod, indexes: controllerIndexes }],
    concurrency: CONCURRENCY,
    rateLimiter: () => new ExponentialLimiter({ initial: BATCH_MILLISECONDS, maximum: MAXIMUM_RETRY }),
    reconcile: inBatches(batching, reconcile),
  }).bind(context);
  const orphans = createOrphanController(informers).bind(context);
  return {
    run: async (signal) => {
      await Promise.all([jobs.run(signal), orphans.run(signal)]);
    },
  };
};

/** Reconciles a Job when it is due. */
function inBatches(batching: Batching, reconcile: Reconcile): Reconcile {
  return async (request, context) => {
    const { lister, clock } = context;
    const key = objectKey({ metadata: request });
    const job = lister(Job)
      .namespace(request.namespace ?? '')
      .get(request.name);
    if (job === undefined) return reconcile(request, context);
    const delay = batching.delayOf(key, job, clock.monotonic());
    if (delay > 0) return { requeueAfter: delay };
    let next: number | undefined = BATCH_MILLISECONDS;
    try {
      const result = (await reconcile(request, context)) as ReconcileResult;
      next = result?.requeueAfter;
      return result;
    } finally {
      if (next !== undefined) batching.schedule(key, clock.monotonic() + next);
    }
  };
}

async function reconcileJob(job: Job, context: OwnerContext, backoffs: Backoffs): Promise<ReconcileResult> {
  const key = objectKey(job);
  if (isManagedByOther(job)) return undefined;
  if (isFinished(job)) return (backoffs.delete(key), undefined);
  const { uid } = job.metadata;
  const known = backoffs.get(key);
  const seen = await see(job, known?.uid === uid ? known?.record : undefined, context);
  const assessment = assess(seen);
  const plan = planPods(seen, assessment);
  const { outcome, error } = await actOnPods(plan, seen, assessment, context);
  const remember = () => backoffs.set(key, { uid, record: assessment.backoff });
  await writeProgress(seen, assessment, outcome, { ...context, remember });
  if (error !== undefined) throw error;
  return earliest(plan.kind === 'wait' ? plan.delay : undefined, deadlineIn(seen, assessment.startedAt));
}

async function see(job: Job, backoff: BackoffRecord | undefined, context: OwnerContext): Promise<SeenJob> {
  const { writer, indexer, clock } = context;
  const selector = selectorOf(job.spec?.selector);
  const pods = await claimObjects(writer, {
    owner: job,
    ownerResource: Job,
    resource: Pod,
    isSelected: ({ metadata }) => selector.matches(metadata.labels),
    candidates: claimable(indexer(Pod), job),
    finalizers: [TRACKING_FINALIZER],
  });
  return { job, pods, backoff: backoff ?? noFailures, now: clock.now() };
}

function earliest(...delays: readonly (number | undefined)[]): ReconcileResult {
  const known = delays.filter((delay) => delay !== undefined && delay > 0) as number[];
  return known.length === 0 ? undefined : { requeueAfter: Math.min(...known) };
}
