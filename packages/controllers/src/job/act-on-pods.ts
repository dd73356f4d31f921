import type { Job } from '@binnacle/client/kinds/batch/v1';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { createPod, deletePod, isPodReady, type OwnerContext, slowStart } from '../common/index.js';
import type { Assessment, PodCounts, SeenJob } from './job-state.js';
import type { PodPlan } from './plan-pods.js';
import type { PodOutcome } from './plan-status.js';
import { podOfIndex, podOfJob } from './pod-of-job.js';
import { untrackPod } from './untrack-pod.js';

/** The outcome of a plan, and the first failure. */
export interface Acted {
  readonly outcome: PodOutcome;
  readonly error: Error | undefined;
}

/** Carries the plan for the pods out as far as it can. */
export async function actOnPods(
  plan: PodPlan,
  { job }: SeenJob,
  { counts, indexes }: Assessment,
  context: OwnerContext,
): Promise<Acted> {
  const control = { ...context, owner: job };
  switch (plan.kind) {
    case 'end':
      return deleteAll(plan.pods, counts, (pod) => deletePod(control, pod));
    case 'remove':
      return deleteAll(plan.pods, counts, async (pod) => {
        await untrackPod(context.writer, pod);
        await deletePod(control, pod);
      });
    case 'create': {
      const pods = podsOf(job, plan.indexes, indexes?.delayed);
      const { succeeded, error } = await slowStart(plan.indexes.length, (at) => createPod(control, pods(at)));
      return {
        outcome: { counts: { ...counts, active: counts.active + succeeded }, isComplete: true },
        error: error as Error | undefined,
      };
    }
    case 'wait':
      // As upstream: a Job that waits says that no pod is active.
      return { outcome: { counts: { ...counts, active: 0 }, isComplete: true }, error: undefined };
    case 'nothing':
      return { outcome: { counts, isComplete: true }, error: undefined };
  }
}

async function deleteAll(
  pods: readonly Pod[],
  { active, ready, terminating }: PodCounts,
  remove: (pod: Pod) => Promise<void>,
): Promise<Acted> {
  const results = await Promise.allSettled(pods.map(remove));
  const deleted = pods.filter((_, index) => results[index]?.status === 'fulfilled');
  const failed = results.find((result) => result.status === 'rejected');
  const counts = {
    active: active - deleted.length,
    ready: ready - deleted.filter(isPodReady).length,
    terminating: terminating + deleted.length,
  };
  return { outcome: { counts, isComplete: failed === undefined }, error: failed?.reason as Error | undefined };
}

function podsOf(
  job: Job,
  indexes: readonly (number | undefined)[],
  delayed: ReadonlyMap<number, Pod> | undefined,
): (at: number) => Pod {
  const plain = podOfJob(job);
  return (at) => {
    const index = indexes[at];
    return index === undefined ? plain : podOfIndex(job, index, delayed?.get(index));
  };
}
