import { formatTime } from '@binnacle/apimachinery/time';
import type { Clock } from '@binnacle/apimachinery/clock';

/** Upstream: apimachinery `metav1.Condition`. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** The `metadata.generation` that the condition is about. */
  readonly observedGeneration?: number;
  /** When `status` last changed: RFC 3339 in UTC, whole seconds. */
  readonly lastTransitionTime: string;
  /** One word in CamelCase, for programs. */
  readonly reason: string;
  /** For people. */
  readonly message: string;
}

/**
 * Adds the condition, or replaces the one of its type. `lastTransitionTime` becomes the current time if `status` changes. Returns the same list
 * if nothing changes, so that callers can skip the write.
 */
export function withCondition(
  conditions: readonly Condition[] | undefined,
  condition: Omit<Condition, 'lastTransitionTime'>,
  clock: Clock,
): readonly Condition[] {
  const present = conditions ?? [];
  const before = findCondition(present, condition.type);
  const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : formatTime(clock.now());
  const after: Condition = { ...condition, lastTransitionTime };
  if (before === undefined) return [...present, after];
  return isSame(before, after) ? present : present.map((each) => (each === before ? after : each));
}

export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((each) => each.type === type);
}

/** False if the condition is missing. */
export function isConditionTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

function isSame(one: Condition, other: Condition): boolean {
  return (
    one.status === other.status &&
    one.reason === other.reason &&
    one.message === other.message &&
    one.observedGeneration === other.observedGeneration
  );
}
