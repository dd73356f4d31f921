import { Quantity } from '@binnacle/apimachinery/quantity';
import type { Scale } from '@binnacle/client/kinds/autoscaling/v1';
import type { HorizontalPodAutoscaler, MetricStatus } from '@binnacle/client/kinds/autoscaling/v2';
import { sizeWithin } from './behavior.js';
import { computeReplicas, type MetricsTools } from './compute-replicas.js';
import type { Tolerances } from './replica-calculator.js';
import type { ScaleHistory } from './scale-history.js';
import type { AutoscalerSettings } from './settings.js';
import type { StatusDraft } from './status-draft.js';
import { type SelectedPods, selectorOfTarget } from './target-selector.js';

export interface SeenTarget {
  readonly hpa: HorizontalPodAutoscaler;
  readonly scale: Scale;
  /** Receives the conditions. */
  readonly status: StatusDraft;
  readonly history: ScaleHistory;
  readonly selected: SelectedPods;
  readonly settings: AutoscalerSettings;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

type Decided =
  /** `desired` is undefined if the size stays. */
  | {
      readonly desired: number | undefined;
      readonly reason: string;
      readonly metrics: readonly MetricStatus[] | undefined;
    }
  /** The metrics give no size. */
  | { readonly failure: string; readonly metrics: readonly MetricStatus[] | undefined };

/** The next size of the target. Outside its bounds, metrics are not asked. */
export async function decideSize(seen: SeenTarget, tools: MetricsTools): Promise<Decided> {
  const { hpa, scale, status } = seen;
  const { minReplicas: min = 1, maxReplicas: max } = hpa.spec;
  const current = scale.spec?.replicas ?? 0;
  if (current === 0) {
    const message = 'scaling is disabled since the replica count of the target is zero';
    status.set('ScalingActive', false, 'ScalingDisabled', message);
    status.remove('ScaledToZero');
    return { desired: undefined, reason: '', metrics: undefined };
  }
  if (current > max)
    return { desired: max, reason: 'Current number of replicas above Spec.MaxReplicas', metrics: undefined };
  if (current < min)
    return { desired: min, reason: 'Current number of replicas below Spec.MinReplicas', metrics: undefined };
  return decideByMetrics(seen, { current, min, max }, tools);
}

async function decideByMetrics(
  seen: SeenTarget,
  bounds: { readonly current: number; readonly min: number; readonly max: number },
  tools: MetricsTools,
): Promise<Decided> {
  const { hpa, scale, status, history, selected, settings, now } = seen;
  const found = await selectorOfTarget(hpa, scale, selected, status, tools.recorder);
  if ('failure' in found) return { failure: found.failure, metrics: undefined };
  const { current } = bounds;
  const target = {
    ...found,
    namespace: hpa.metadata.namespace ?? '',
    specReplicas: current,
    statusReplicas: scale.status?.replicas ?? 0,
    tolerances: tolerancesOf(hpa, settings.tolerance),
    periods: settings,
    now,
  };
  const { proposal, failure, statuses } = await computeReplicas(hpa, target, status, tools);
  if (proposal === undefined) return { failure: failure ?? '', metrics: statuses };
  const { behavior } = hpa.spec;
  const { downscaleStabilization } = settings;
  const { replicas, able, limited } = sizeWithin(proposal.replicas, {
    ...bounds,
    behavior,
    history,
    downscaleStabilization,
    now,
  });
  status.set('AbleToScale', true, able.reason, able.message);
  status.set('ScalingLimited', limited.isLimited, limited.reason, limited.message);
  const reason =
    proposal.replicas > current ? `${proposal.name} above target` : belowReason(proposal.replicas, current);
  return { desired: replicas === current ? undefined : replicas, reason, metrics: statuses };
}

function belowReason(desired: number, current: number): string {
  return desired < current ? 'All metrics below target' : '';
}

function tolerancesOf({ spec }: HorizontalPodAutoscaler, tolerance: number): Tolerances {
  const of = (text: string | undefined) => (text === undefined ? tolerance : Quantity.parse(text).asNumber());
  return { down: of(spec.behavior?.scaleDown?.tolerance), up: of(spec.behavior?.scaleUp?.tolerance) };
}
