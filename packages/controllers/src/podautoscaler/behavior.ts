import type {
  HorizontalPodAutoscalerBehavior,
  HPAScalingPolicy,
  HPAScalingRules,
} from '@binnacle/client/kinds/autoscaling/v2';
import { type Limited, limitByRates, limitPlainly, type TargetSize } from './limits.js';
import type { ScaleHistory } from './scale-history.js';

const SECOND = 1000;
/** The server sets these where a behavior leaves them out. Upstream: `GenerateHPAScaleUpRules`. */
const UP_POLICIES: readonly HPAScalingPolicy[] = [
  { type: 'Pods', value: 4, periodSeconds: 15 },
  { type: 'Percent', value: 100, periodSeconds: 15 },
];
const DOWN_POLICIES: readonly HPAScalingPolicy[] = [{ type: 'Percent', value: 100, periodSeconds: 15 }];

export interface Sizing extends TargetSize {
  readonly behavior: HorizontalPodAutoscalerBehavior | undefined;
  readonly history: ScaleHistory;
  /** Milliseconds for which a target does not shrink below a recommendation, unless its behavior says otherwise. */
  readonly downscaleStabilization: number;
  readonly now: number;
}

/** A size, with the reasons and messages of the conditions AbleToScale and ScalingLimited. */
export interface Sized {
  readonly replicas: number;
  readonly able: { readonly reason: string; readonly message: string };
  readonly limited: Limited & { readonly isLimited: boolean };
}

const READY = { reason: 'ReadyForNewScale', message: 'recommended size matches current size' };
const DOWN_STABILIZED = {
  reason: 'ScaleDownStabilized',
  message: 'recent recommendations were higher than current one, applying the highest recent recommendation',
};
const UP_STABILIZED = {
  reason: 'ScaleUpStabilized',
  message: 'recent recommendations were lower than current one, applying the lowest recent recommendation',
};

/** Stabilizes a desired size by recent ones, and limits it. Remembers it as a recommendation. Upstream: `normalizeDesiredReplicas` and similar functions. */
export function sizeWithin(desired: number, sizing: Sizing): Sized {
  const { behavior, history, downscaleStabilization, now, current } = sizing;
  if (behavior === undefined) {
    const stabilized = history.highest(desired, now - downscaleStabilization - 1);
    history.recommend(desired, now, downscaleStabilization);
    return sized(desired, stabilized, DOWN_STABILIZED, limitPlainly(stabilized, sizing));
  }
  const up = windowOf(behavior.scaleUp, 0);
  const down = windowOf(behavior.scaleDown, downscaleStabilization);
  const lowest = history.lowest(desired, now - up);
  const highest = history.highest(desired, now - down);
  history.recommend(desired, now, Math.max(up, down));
  const stabilized = Math.min(Math.max(current, lowest), highest);
  const why = desired >= current ? UP_STABILIZED : DOWN_STABILIZED;
  return sized(desired, stabilized, why, limitByRates(stabilized, sizing, ratesOf(sizing)));
}

/** Remembers a change of the size, for the policies. */
export function rememberScale(
  { behavior, history, now }: Pick<Sizing, 'behavior' | 'history' | 'now'>,
  from: number,
  to: number,
): void {
  if (behavior === undefined) return;
  const policies =
    to > from ? policiesOf(behavior.scaleUp, UP_POLICIES) : policiesOf(behavior.scaleDown, DOWN_POLICIES);
  const longest = Math.max(0, ...policies.map(({ periodSeconds }) => periodSeconds));
  history.scaled(from, to, now, longest * SECOND);
}

function sized(desired: number, stabilized: number, why: Sized['able'], limited: Limited): Sized {
  return {
    replicas: limited.replicas,
    able: stabilized === desired ? READY : why,
    limited: { ...limited, isLimited: limited.replicas !== stabilized },
  };
}

function ratesOf({ behavior, current, history, now }: Sizing): {
  readonly fastestUp: number;
  readonly fastestDown: number;
} {
  const proposals = (policies: readonly HPAScalingPolicy[], direction: 1 | -1) =>
    policies.map(({ type, value, periodSeconds }) => {
      const { added, removed } = history.changesSince(now - periodSeconds * SECOND);
      const before = current - added + removed;
      if (type === 'Pods') return before + direction * value;
      const changed = before * (1 + (direction * value) / 100);
      return direction > 0 ? Math.ceil(changed) : Math.trunc(changed);
    });
  const { scaleUp, scaleDown } = behavior ?? {};
  return {
    fastestUp: selected(scaleUp, proposals(policiesOf(scaleUp, UP_POLICIES), 1), current, Math.max, Math.min),
    fastestDown: selected(scaleDown, proposals(policiesOf(scaleDown, DOWN_POLICIES), -1), current, Math.min, Math.max),
  };
}

function selected(
  rules: HPAScalingRules | undefined,
  proposals: readonly number[],
  current: number,
  largest: (...sizes: number[]) => number,
  smallest: (...sizes: number[]) => number,
): number {
  if (rules?.selectPolicy === 'Disabled') return current;
  return rules?.selectPolicy === 'Min' ? smallest(...proposals) : largest(...proposals);
}

function policiesOf(
  rules: HPAScalingRules | undefined,
  defaults: readonly HPAScalingPolicy[],
): readonly HPAScalingPolicy[] {
  const { policies = [] } = rules ?? {};
  return policies.length === 0 ? defaults : policies;
}

function windowOf(rules: HPAScalingRules | undefined, otherwise: number): number {
  const seconds = rules?.stabilizationWindowSeconds;
  return seconds === undefined ? otherwise : seconds * SECOND;
}
