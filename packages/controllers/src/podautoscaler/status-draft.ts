import { formatTime } from '@binnacle/apimachinery/time';
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerCondition,
  HorizontalPodAutoscalerStatus,
  MetricStatus,
} from '@binnacle/client/kinds/autoscaling/v2';
import { findCondition, keepTransition, withoutCondition } from '../common/index.js';

type ConditionType = 'AbleToScale' | 'ScalingActive' | 'ScalingLimited';

/** The status of an autoscaler while a step changes it. */
export class StatusDraft {
  readonly #before: Partial<HorizontalPodAutoscalerStatus>;
  readonly #now: string;
  #conditions: readonly HorizontalPodAutoscalerCondition[];

  /** `now`: milliseconds since the epoch. */
  constructor({ status }: HorizontalPodAutoscaler, now: number) {
    this.#before = status ?? {};
    this.#now = formatTime(now);
    this.#conditions = this.#before.conditions ?? [];
  }

  set(type: ConditionType, isTrue: boolean, reason: string, message: string): void {
    const before = findCondition(this.#conditions, type);
    const status = isTrue ? 'True' : 'False';
    const after = keepTransition(before, { type, status, lastTransitionTime: this.#now, reason, message });
    this.#conditions =
      before === undefined
        ? [...this.#conditions, after]
        : this.#conditions.map((each) => (each === before ? after : each));
  }

  remove(type: string): void {
    this.#conditions = withoutCondition(this.#conditions, type);
  }

  /** The status from before, with the new conditions. */
  unchanged(): HorizontalPodAutoscalerStatus {
    return { desiredReplicas: 0, ...this.#before, conditions: this.#conditions };
  }

  /** Without `desired`, the last one stays. `isRescaled`: the target has a new size. */
  finished(
    current: number,
    metrics: readonly MetricStatus[] | undefined,
    { desired = this.#before.desiredReplicas ?? 0, isRescaled = false } = {},
  ): HorizontalPodAutoscalerStatus {
    const lastScaleTime = isRescaled ? this.#now : this.#before.lastScaleTime;
    return {
      ...(lastScaleTime === undefined ? {} : { lastScaleTime }),
      ...(current === 0 ? {} : { currentReplicas: current }),
      desiredReplicas: desired,
      ...(metrics === undefined ? {} : { currentMetrics: metrics }),
      conditions: this.#conditions,
    };
  }
}
