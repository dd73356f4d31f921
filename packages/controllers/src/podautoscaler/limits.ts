/** A size within its limits, and why it was limited. */
export interface Limited {
  readonly replicas: number;
  readonly reason: string;
  readonly message: string;
}

/** The present size of a target, and its limits. */
export interface TargetSize {
  readonly current: number;
  readonly min: number;
  readonly max: number;
}

const WITHIN = { reason: 'DesiredWithinRange', message: 'the desired count is within the acceptable range' };
const TOO_MANY = {
  reason: 'TooManyReplicas',
  message: 'the desired replica count is more than the maximum replica count',
};
const TOO_FEW = {
  reason: 'TooFewReplicas',
  message: 'the desired replica count is less than the minimum replica count',
};
const TOO_FAST_UP = {
  reason: 'ScaleUpLimit',
  message: 'the desired replica count is increasing faster than the maximum scale rate',
};
const TOO_FAST_DOWN = {
  reason: 'ScaleDownLimit',
  message: 'the desired replica count is decreasing faster than the maximum scale rate',
};

/** Without rules, a target at most doubles its replicas; it may always have four. Upstream: `convertDesiredReplicasWithRules`. */
export function limitPlainly(desired: number, { current, min, max }: TargetSize): Limited {
  const fastest = Math.max(2 * current, 4);
  if (desired < min) return { replicas: min, ...TOO_FEW };
  if (desired <= Math.min(max, fastest)) return { replicas: desired, ...WITHIN };
  return max > fastest ? { replicas: fastest, ...TOO_FAST_UP } : { replicas: max, ...TOO_MANY };
}

/** `fastestUp`, `fastestDown`: the sizes that the rules permit. Upstream: `convertDesiredReplicasWithBehaviorRate`. */
export function limitByRates(
  desired: number,
  { current, min, max }: TargetSize,
  { fastestUp, fastestDown }: { readonly fastestUp: number; readonly fastestDown: number },
): Limited {
  if (desired > current) {
    const fastest = Math.max(fastestUp, current);
    const most = Math.min(max, fastest);
    if (desired > most) return { replicas: most, ...(max > fastest ? TOO_FAST_UP : TOO_MANY) };
  } else if (desired < current) {
    const fastest = Math.min(fastestDown, current);
    const least = Math.max(min, fastest);
    if (desired < least) return { replicas: least, ...(min < fastest ? TOO_FAST_DOWN : TOO_FEW) };
  }
  return { replicas: desired, ...WITHIN };
}
