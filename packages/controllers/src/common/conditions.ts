/** The fields that conditions of all kinds have. */
export interface AnyCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

export function findCondition<C extends AnyCondition>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/**
 * Sets a condition of a workload and moves it to the end of the list. Returns the same list if status and reason are unchanged: a new message
 * alone is not worth a write. `lastTransitionTime` changes only with the status. Upstream: `SetDeploymentCondition` and similar functions.
 */
export function withCondition<C extends AnyCondition>(
  conditions: readonly C[] | undefined,
  condition: C,
): readonly C[] {
  const present = conditions ?? [];
  const before = findCondition(present, condition.type);
  if (before?.status === condition.status && before.reason === condition.reason) return present;
  return [...withoutCondition(present, condition.type), keepTransition(before, condition)];
}

/** Returns the same list if there is no such condition. */
export function withoutCondition<C extends AnyCondition>(
  conditions: readonly C[] | undefined,
  type: string,
): readonly C[] {
  const present = conditions ?? [];
  return findCondition(present, type) === undefined ? present : present.filter((each) => each.type !== type);
}

/** The condition, with the transition time of the previous one if the status is unchanged. */
export function keepTransition<C extends AnyCondition>(before: C | undefined, condition: C): C {
  const { lastTransitionTime } = before ?? {};
  if (before?.status !== condition.status || lastTransitionTime === undefined) return condition;
  return { ...condition, lastTransitionTime };
}
