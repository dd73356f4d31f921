import type { Job, JobSpec, JobStatus } from '@binnacle/client/kinds/batch/v1';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import type { ObjectMeta } from '@binnacle/client/typed';
import type { SeenJob } from './job-state.js';
import { noFailures } from './backoff.js';
import { COMPLETION_INDEX, INDEX_FAILURES, TRACKING_FINALIZER } from './job-pods.js';

/** Builds Jobs and their pods for tables of tests. */
export const NOON = '2026-01-01T12:00:00Z';
export const NOW = Date.parse(NOON);

export function jobOf(spec: Partial<JobSpec> = {}, status: JobStatus = {}, metadata: ObjectMeta = {}): Job {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'work', namespace: 'shop', uid: 'work-uid', generation: 1, ...metadata },
    spec: {
      parallelism: 1,
      completions: 1,
      backoffLimit: 6,
      template: { metadata: { labels: { app: 'work' } }, spec: { containers: [{ name: 'c' }] } },
      ...spec,
    },
    status,
  };
}

export interface PodTraits {
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed';
  readonly index?: number;
  /** Of the index, before this pod. */
  readonly failures?: number;
  readonly isTracked?: boolean;
  readonly isReady?: boolean;
  readonly isDeleted?: boolean;
  readonly exitCode?: number;
  /** The type of a condition that is true. */
  readonly condition?: string;
  readonly restarts?: number;
  /** Seconds before noon. */
  readonly endedBefore?: number;
}

export function podOf(uid: string, traits: PodTraits = {}): Pod {
  const { phase = 'Running', index, failures, isTracked = true, isReady = false, isDeleted = false } = traits;
  const { exitCode, condition, restarts = 0, endedBefore = 0 } = traits;
  const finishedAt = new Date(NOW - endedBefore * 1000).toISOString();
  const ended = phase === 'Succeeded' || phase === 'Failed';
  const terminated = { exitCode: exitCode ?? (phase === 'Failed' ? 1 : 0), finishedAt };
  const types = [...(isReady ? ['Ready'] : []), ...(condition === undefined ? [] : [condition])];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: uid,
      namespace: 'shop',
      uid,
      creationTimestamp: NOON,
      annotations: {
        ...(index === undefined ? {} : { [COMPLETION_INDEX]: String(index) }),
        ...(failures === undefined ? {} : { [INDEX_FAILURES]: String(failures) }),
      },
      ...(isTracked ? { finalizers: [TRACKING_FINALIZER] } : {}),
      ...(isDeleted ? { deletionTimestamp: NOON } : {}),
    },
    status: {
      phase,
      conditions: types.map((type) => ({ type, status: 'True' })),
      containerStatuses: [
        {
          name: 'c',
          image: '',
          imageID: '',
          ready: isReady,
          restartCount: restarts,
          state: ended ? { terminated } : {},
        },
      ],
    },
  };
}

export function seenOf(job: Job, pods: readonly Pod[], given: Partial<SeenJob> = {}): SeenJob {
  return { job, pods, backoff: noFailures, now: NOW, ...given };
}
