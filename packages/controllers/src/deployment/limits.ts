import type { Deployment } from '@binnacle/client/kinds/apps/v1';
import { scaledValue } from '../common/index.js';
import { MAX_INT32 } from './annotations.js';
import { replicasOf } from './sets.js';

export function isRollingUpdate({ spec }: Deployment): boolean {
  return spec?.strategy?.type === 'RollingUpdate';
}

export function isRecreate({ spec }: Deployment): boolean {
  return spec?.strategy?.type === 'Recreate';
}

/** How many pods there may be above the desired ones. */
export function maxSurge(deployment: Deployment): number {
  if (!isRollingUpdate(deployment)) return 0;
  return scaledValue(deployment.spec?.strategy?.rollingUpdate?.maxSurge, replicasOf(deployment), 'up');
}

/** How many of the desired pods may be unavailable. If both limits round to 0, one may, or no rollout could begin. */
export function maxUnavailable(deployment: Deployment): number {
  const replicas = replicasOf(deployment);
  if (!isRollingUpdate(deployment) || replicas === 0) return 0;
  const unavailable = scaledValue(deployment.spec?.strategy?.rollingUpdate?.maxUnavailable, replicas, 'down');
  return Math.min(unavailable === 0 && maxSurge(deployment) === 0 ? 1 : unavailable, replicas);
}

/** Seconds without progress after which a rollout has failed; undefined for no limit. */
export function progressDeadline({ spec }: Deployment): number | undefined {
  return spec?.progressDeadlineSeconds === MAX_INT32 ? undefined : spec?.progressDeadlineSeconds;
}

/** The number of old sets to keep; undefined for no limit. */
export function historyLimit({ spec }: Deployment): number | undefined {
  return spec?.revisionHistoryLimit === MAX_INT32 ? undefined : spec?.revisionHistoryLimit;
}
