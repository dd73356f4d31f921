import { formatTime } from '@binnacle/apimachinery/time';
import type { JobCondition } from '@binnacle/client/kinds/batch/v1';
import { findCondition } from '../common/index.js';

/** A condition with the current time as both its probe time and its transition time, as Jobs set them. */
export function conditionNow(
  condition: Pick<JobCondition, 'type' | 'status' | 'reason' | 'message'>,
  now: number,
): JobCondition {
  const time = formatTime(now);
  return { ...condition, lastProbeTime: time, lastTransitionTime: time };
}

/**
 * Sets a condition in its place in the list. Returns the same list if nothing changes, or if the condition is absent and would be False.
 * Upstream: `ensureJobConditionStatus`.
 */
export function withJobCondition(
  conditions: readonly JobCondition[],
  condition: Pick<JobCondition, 'type' | 'status' | 'reason' | 'message'>,
  now: number,
): readonly JobCondition[] {
  const { type, status, reason, message } = condition;
  const before = findCondition(conditions, type);
  if (before === undefined) return status === 'False' ? conditions : [...conditions, conditionNow(condition, now)];
  if (before.status === status && before.reason === reason && before.message === message) return conditions;
  return conditions.map((each) => (each === before ? conditionNow(condition, now) : each));
}
