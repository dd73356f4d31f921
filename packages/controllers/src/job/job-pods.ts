import { numberOf } from '@binnacle/apimachinery/json';
import { hasFinalizer } from '@binnacle/client/controller';
import type { Job } from '@binnacle/client/kinds/batch/v1';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { findCondition, sidecarStatuses, timeOf } from '../common/index.js';
import { completionsOf, isIndexed, replacesOnlyFailedPods } from './job-facts.js';

/** A pod has it until the status of its Job has counted the pod. So no pod is lost, and none is counted twice. */
export const TRACKING_FINALIZER = 'batch.kubernetes.io/job-tracking';
/** An annotation and a label. */
export const COMPLETION_INDEX = 'batch.kubernetes.io/job-completion-index';
export const INDEX_FAILURES = 'batch.kubernetes.io/job-index-failure-count';
export const INDEX_IGNORED_FAILURES = 'batch.kubernetes.io/job-index-ignored-failure-count';

export function isTracked(pod: Pod): boolean {
  return hasFinalizer(pod, TRACKING_FINALIZER);
}

/** Undefined without an index, and for a malformed one. */
export function completionIndexOf({ metadata }: Pod): number | undefined {
  const text = metadata.annotations?.[COMPLETION_INDEX] ?? '';
  return /^[+]?\d{1,10}$/.test(text) ? Number(text) : undefined;
}

/** The index, if the Job has it. */
export function validIndexOf(pod: Pod, job: Job): number | undefined {
  const index = completionIndexOf(pod);
  return index !== undefined && index < completionsOf(job) ? index : undefined;
}

/** Whether the pod counts towards its Job. The pods of an indexed Job need a valid index. */
export function isCountable(pod: Pod, job: Job): boolean {
  return !isIndexed(job) || validIndexOf(pod, job) !== undefined;
}

/** The failures of the pod's index before the pod that count towards its limit. */
export function indexFailures({ metadata }: Pod): number {
  return countOf(metadata.annotations?.[INDEX_FAILURES]);
}

/** The failures of the pod's index before the pod that a failure policy ignores. */
export function ignoredIndexFailures({ metadata }: Pod): number {
  return countOf(metadata.annotations?.[INDEX_IGNORED_FAILURES]);
}

export function isPodSucceeded({ status }: Pod): boolean {
  return status?.phase === 'Succeeded';
}

/** A pod that is being deleted has failed too, unless the Job waits until it ends: it may never reach a phase. */
export function isPodFailed({ metadata, status }: Pod, job: Job): boolean {
  if (status?.phase === 'Failed') return true;
  return !replacesOnlyFailedPods(job) && metadata.deletionTimestamp !== undefined && status?.phase !== 'Succeeded';
}

/**
 * When the pod ended, in milliseconds since the epoch: as its containers say, or its Ready condition, or its deletion, or else its creation. Upstream:
 * `getFinishedTime`.
 */
export function finishedAt(pod: Pod): number {
  const { metadata, status } = pod;
  const ready = findCondition(status?.conditions, 'Ready');
  const deletion = timeOf(metadata.deletionTimestamp);
  return (
    containersFinishedAt(pod) ??
    (ready?.status === 'False' ? timeOf(ready.lastTransitionTime) : undefined) ??
    (deletion === undefined ? undefined : deletion - numberOf(metadata.deletionGracePeriodSeconds ?? 0) * 1000) ??
    timeOf(metadata.creationTimestamp) ??
    0
  );
}

/** Undefined unless all containers and sidecars have ended. */
function containersFinishedAt(pod: Pod): number | undefined {
  let latest: number | undefined;
  for (const { state } of [...(pod.status?.containerStatuses ?? []), ...sidecarStatuses(pod)]) {
    const finished = timeOf(state?.terminated?.finishedAt);
    if (finished === undefined) return undefined;
    latest = Math.max(latest ?? finished, finished);
  }
  return latest;
}

function countOf(text = ''): number {
  const count = /^[+]?\d{1,10}$/.test(text) ? Number(text) : 0;
  return count < 2 ** 31 ? count : 0;
}
