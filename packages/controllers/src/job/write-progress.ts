import type { EventRecorder } from '@binnacle/client/events';
import { Job } from '@binnacle/client/kinds/batch/v1';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import type { OwnerContext, Writer } from '../common/index.js';
import type { Assessment, SeenJob } from './job-state.js';
import { isTracked } from './job-pods.js';
import { finishStatus, planStatus, type PodOutcome, type StatusPlan } from './plan-status.js';
import { untrackPod } from './untrack-pod.js';

export interface ProgressContext extends Pick<OwnerContext, 'writer' | 'recorder'> {
  /** Called once the status accounts for the pods that have ended. */
  readonly remember: () => void;
}

/**
 * Writes a status that lists the ended pods as uncounted, removes their finalizers, and writes the status that counts them. A restart after any of
 * these continues from the list of uncounted pods.
 */
export async function writeProgress(
  seen: SeenJob,
  assessment: Assessment,
  outcome: PodOutcome,
  { writer, recorder, remember }: ProgressContext,
): Promise<void> {
  const plan = planStatus(seen, assessment, outcome);
  const job = await writer.changeStatus(Job, seen.job, plan.status);
  if (job !== seen.job) remember();
  if (plan.change !== undefined) recorder.event(job, 'Normal', plan.change, `Job ${plan.change.toLowerCase()}`);
  const { untracked, error } = await untrackAll(writer, plan.untrack);
  const tracked = seen.pods.filter((pod) => isTracked(pod) && !untracked.has(pod)).map(({ metadata }) => metadata.uid);
  const { status, isFinished } = finishStatus(
    { ...plan, hasMore: plan.hasMore || error !== undefined },
    job.status ?? {},
    new Set(tracked.filter((uid) => uid !== undefined)),
    seen.now,
  );
  const ended = await writer.changeStatus(Job, job, status);
  if (isFinished) recordEnd(recorder, ended, plan.verdict);
  if (error !== undefined) throw error;
}

async function untrackAll(
  writer: Writer,
  pods: readonly Pod[],
): Promise<{ readonly untracked: ReadonlySet<Pod>; readonly error: Error | undefined }> {
  const results = await Promise.allSettled(pods.map((pod) => untrackPod(writer, pod)));
  const failed = results.find((result) => result.status === 'rejected');
  const untracked = new Set(pods.filter((_, index) => results[index]?.status === 'fulfilled'));
  return { untracked, error: failed?.reason as Error | undefined };
}

function recordEnd(recorder: EventRecorder, job: Job, verdict: StatusPlan['verdict']): void {
  if (verdict?.outcome === 'Failed') {
    recorder.event(job, 'Warning', verdict.reason, verdict.message);
    return;
  }
  if ((job.status?.succeeded ?? 0) > (job.spec?.completions ?? Infinity)) {
    const message = 'Too many succeeded pods running after completion count reached';
    recorder.event(job, 'Warning', 'TooManySucceededPods', message);
  }
  recorder.event(job, 'Normal', 'Completed', 'Job completed');
}
