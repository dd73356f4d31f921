import { Controller, controllerOf } from '@binnacle/client/controller';
import { Job } from '@binnacle/client/kinds/batch/v1';
import { Pod } from '@binnacle/client/kinds/core/v1';
import type { TypedObject } from '@binnacle/client/typed';
import {
  type CacheSource,
  controlledBy,
  controllerIndexes,
  type OwnerContext,
  reconcileOwner,
} from '../common/index.js';
import { isFinished, isManagedByOther } from './job-facts.js';
import { isTracked } from './job-pods.js';
import { untrackPod } from './untrack-pod.js';

/** Upstream: `--concurrent-job-syncs`. */
const CONCURRENCY = 5;

/** Removes the finalizer from pods that no Job will still count, so that they can be deleted. */
export function createOrphanController(informers: CacheSource) {
  return new Controller({
    name: 'job_orphan_pod',
    watches: [
      { resource: Pod, map: (pod) => (mayBeOrphan(pod) ? [requestFor(pod)] : []) },
      {
        resource: Job,
        predicate: ({ type, object }) => type === 'delete' || isFinished(object),
        map: (job) => controlledBy(informers.informer(Pod).indexer, job).filter(isTracked).map(requestFor),
      },
    ],
    reads: [{ resource: Pod, indexes: controllerIndexes }],
    concurrency: CONCURRENCY,
    reconcile: reconcileOwner({ resource: Pod, writes: [], informers }, async (pod, { lister, writer }) => {
      if (isOrphan(pod, lister)) await untrackPod(writer, pod);
    }),
  });
}

/** Runs for every change of every pod, so it looks up nothing. The watch of Jobs finds pods whose Job has ended or is gone. */
function mayBeOrphan(pod: Pod): boolean {
  return isTracked(pod) && (pod.metadata.deletionTimestamp !== undefined || controllerOf(pod) === undefined);
}

/** Whether the pod has no controller, or a Job that is gone or has ended. If another controller manages the Job, that one removes the finalizer. */
function isOrphan(pod: Pod, lister: OwnerContext['lister']): boolean {
  if (!isTracked(pod)) return false;
  const controller = controllerOf(pod);
  if (controller === undefined) return true;
  if (controller.kind !== Job.kind || controller.apiVersion !== 'batch/v1') return false;
  const { namespace = '' } = pod.metadata;
  const job = lister(Job).namespace(namespace).get(controller.name);
  if (job?.metadata.uid !== controller.uid) return true;
  return job !== undefined && !isManagedByOther(job) && isFinished(job);
}

function requestFor({ metadata: { namespace, name = '' } }: TypedObject) {
  return { namespace, name };
}
