import { Controller, type ReconcileResult } from '@binnacle/client/controller';
import { Job } from '@binnacle/client/kinds/batch/v1';
import { type OwnerContext, reconcileOwner, unlessGone } from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';
import { timeToLive } from './time-to-live.js';

/** Upstream: `--concurrent-ttl-after-finished-syncs`. */
const CONCURRENCY = 5;

export const createTtlAfterFinishedLoop: CreateLoop = (context) =>
  new Controller({
    name: 'ttl_jobs_to_delete',
    for: Job,
    predicate: ({ object }) => timeToLive(object, 0) !== undefined,
    concurrency: CONCURRENCY,
    reconcile: reconcileOwner({ resource: Job, writes: [], informers: context.informers }, deleteWhenExpired),
  }).bind(context);

async function deleteWhenExpired(job: Job, context: OwnerContext): Promise<ReconcileResult> {
  const { clock, writer } = context;
  const left = timeToLive(job, clock.now());
  if (left === undefined) return undefined;
  if (left > 0) return { requeueAfter: left };
  // The cache may not show yet that a user has prolonged the time.
  const fresh = await unlessGone(writer.read(Job, job));
  if (fresh === undefined) return undefined;
  const stillLeft = timeToLive(fresh, clock.now());
  if (stillLeft === undefined) return undefined;
  if (stillLeft > 0) return { requeueAfter: stillLeft };
  await writer.delete(Job, fresh, { propagationPolicy: 'Foreground' });
  return undefined;
}
