import type { Deployment } from '@binnacle/client/kinds/apps/v1';
import { withProgressing } from './progress.js';

/** The Deployment after another ReplicaSet had the name: one more collision, which changes the hash of its template. */
export function collided(deployment: Deployment): Deployment {
  const { status } = deployment;
  return { ...deployment, status: { ...status, collisionCount: (status?.collisionCount ?? 0) + 1 } };
}

/** The Deployment after the server refused its ReplicaSet; undefined if its status says so already, or has no deadline to say so. */
export function refused(deployment: Deployment, message: string, now: number): Deployment | undefined {
  const before = deployment.status?.conditions ?? [];
  const conditions = withProgressing(deployment, before, now, ['False', 'ReplicaSetCreateError', message]) ?? [];
  return conditions === before ? undefined : { ...deployment, status: { ...deployment.status, conditions } };
}
