import { formatTime } from '@binnacle/apimachinery/time';
import type { Clock } from '../clock/index.js';

/** One thing that is known of an object, in its status. Upstream: apimachinery `metav1.Condition`. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** The `metadata.generation` that this was found out about. */
  readonly observedGeneration?: number;
  /** When `status` last became another: RFC 3339 text in UTC, whole seconds. */
  readonly lastTransitionTime: string;
  /** For programs: a word in CamelCase. */
  readonly reason: string;
  /** For people. */
  readonly message: string;
}

/**
 * The same conditions with this one, in the place of the one of its type. The time of its transition is now if its status is another than
 * before, and stays otherwise. What changes nothing gives the very same list, so that nobody need write it.
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

/** False also when nothing is known. */
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
