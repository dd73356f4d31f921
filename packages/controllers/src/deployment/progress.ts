import type { Deployment, DeploymentCondition, DeploymentStatus, ReplicaSet } from '@binnacle/client/kinds/apps/v1';
import { findCondition, keepTransition, timeOf, withCondition, withoutCondition } from '../common/index.js';
import { progressDeadline } from './limits.js';
import { conditionAt, type Conditions, isComplete } from './status.js';

const PROGRESSING = 'Progressing';

/** While a Deployment is paused, its deadline does not run. */
export function withPause(deployment: Deployment, conditions: Conditions, now: number): Conditions {
  const reason = findCondition(conditions, PROGRESSING)?.reason;
  if (progressDeadline(deployment) === undefined || reason === 'ProgressDeadlineExceeded') return conditions;
  const isPaused = deployment.spec?.paused === true;
  if (isPaused === (reason === 'DeploymentPaused')) return conditions;
  const condition = isPaused
    ? conditionAt(now, PROGRESSING, 'Unknown', 'DeploymentPaused', 'Deployment is paused')
    : conditionAt(now, PROGRESSING, 'Unknown', 'DeploymentResumed', 'Deployment is resumed');
  return withCondition(conditions, condition);
}

/** Sets `Progressing` of a Deployment that has a deadline. */
export function withProgressing(
  deployment: Deployment,
  conditions: Conditions,
  now: number,
  [status, reason, message]: readonly ['True' | 'False', string, string],
): Conditions {
  if (progressDeadline(deployment) === undefined) return conditions;
  return withCondition(conditions, conditionAt(now, PROGRESSING, status, reason, message));
}

/**
 * The conditions of a rollout: complete, progressing, or past its deadline. `before` is the status with the conditions so far, `after` has the
 * counts of now. Progress renews `lastUpdateTime`, from which the deadline runs.
 */
export function progressConditions(
  deployment: Deployment,
  before: DeploymentStatus,
  after: DeploymentStatus,
  newSet: ReplicaSet | undefined,
  now: number,
): Conditions {
  const deadline = progressDeadline(deployment);
  const { conditions } = after;
  if (deadline === undefined) return withoutCondition(conditions, PROGRESSING);
  const current = findCondition(before.conditions, PROGRESSING);
  const isDone = (after.replicas ?? 0) === (after.updatedReplicas ?? 0) && current?.reason === 'NewReplicaSetAvailable';
  if (isDone) return conditions;
  const subject = newSet === undefined ? `Deployment ${quoted(deployment)}` : `ReplicaSet ${quoted(newSet)}`;
  const condition = (status: 'True' | 'False', reason: string, what: string) =>
    conditionAt(now, PROGRESSING, status, reason, `${subject} ${what}`);
  if (isComplete(deployment, after)) {
    return withCondition(conditions, condition('True', 'NewReplicaSetAvailable', 'has successfully progressed.'));
  }
  if (hasProgressed(before, after)) {
    const renewed = condition('True', 'ReplicaSetUpdated', 'is progressing.');
    return [...withoutCondition(conditions, PROGRESSING), keepTransition(current, renewed)];
  }
  if (!isLate(current, deadline, now)) return conditions;
  return withCondition(conditions, condition('False', 'ProgressDeadlineExceeded', 'has timed out progressing.'));
}

/** Milliseconds until the deadline must be checked; undefined if no rollout is under way. */
export function deadlineCheck(deployment: Deployment, status: DeploymentStatus, now: number): number | undefined {
  const deadline = progressDeadline(deployment);
  const current = findCondition(status.conditions, PROGRESSING);
  if (deadline === undefined || current === undefined || isComplete(deployment, status)) return undefined;
  if (!isDeadlineRunning(current)) return undefined;
  const since = timeOf(current.lastUpdateTime) ?? now;
  // A second more, as times of conditions have no fractions.
  return Math.max(0, since + deadline * 1000 - now) + 1000;
}

function isDeadlineRunning({ reason }: DeploymentCondition): boolean {
  return !['ProgressDeadlineExceeded', 'NewReplicaSetAvailable', 'DeploymentPaused'].includes(reason ?? '');
}

function hasProgressed(before: DeploymentStatus, after: DeploymentStatus): boolean {
  const old = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus) => replicas - updatedReplicas;
  return (
    (after.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    old(after) < old(before) ||
    (after.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  );
}

/** A rollout that has succeeded is never late. */
function isLate(current: DeploymentCondition | undefined, deadline: number, now: number): boolean {
  if (current === undefined || current.reason === 'NewReplicaSetAvailable') return false;
  if (current.reason === 'ProgressDeadlineExceeded') return true;
  return (timeOf(current.lastUpdateTime) ?? 0) + deadline * 1000 < now;
}

function quoted({ metadata }: Deployment | ReplicaSet): string {
  return JSON.stringify(metadata.name ?? '');
}
