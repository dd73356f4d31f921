import { type LabelSelector, parseLabelSelector } from '@binnacle/apimachinery/labels';
import type { EventRecorder } from '@binnacle/client/events';
import type { Scale } from '@binnacle/client/kinds/autoscaling/v1';
import type { HorizontalPodAutoscaler, MetricStatus } from '@binnacle/client/kinds/autoscaling/v2';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { messageOf } from '../common/index.js';
import { askMetric } from './ask-metric.js';
import type { MetricReader, MetricTargetState, Proposal } from './metric-source.js';
import type { StatusDraft } from './status-draft.js';

/** The answer of all metrics together. */
export interface Computed {
  readonly statuses: readonly MetricStatus[] | undefined;
  /** The largest proposal; undefined if the size must stay. */
  readonly proposal: Proposal | undefined;
  /** Why a metric, or the selector, gives no size. */
  readonly failure: string | undefined;
}

export interface MetricsTools extends MetricReader {
  readonly recorder: EventRecorder;
}

/** A metric without an answer. Upstream writes it so. */
const UNKNOWN: MetricStatus = { type: '' };

/**
 * Asks all metrics. A metric without an answer keeps the target from shrinking, for it might have asked for more. Upstream:
 * `computeReplicasForMetrics`.
 */
export async function computeReplicas(
  hpa: HorizontalPodAutoscaler,
  target: MetricTargetState,
  status: StatusDraft,
  { api, recorder, signal }: MetricsTools,
): Promise<Computed> {
  const { metrics = [] } = hpa.spec;
  const statuses: MetricStatus[] = [];
  let best: Proposal | undefined;
  let first: { readonly reason: string; readonly message: string; readonly summary: string } | undefined;
  let invalid = 0;
  for (const spec of metrics) {
    const answer = await askMetric(spec, target, { api, signal });
    if ('refusal' in answer) {
      recorder.event(hpa, 'Warning', answer.refusal.reason, answer.refusal.message);
      first ??= answer.refusal;
      invalid++;
      statuses.push(UNKNOWN);
      continue;
    }
    statuses.push(answer.proposal.status);
    if (best === undefined || best.replicas === 0 || answer.proposal.replicas > best.replicas) best = answer.proposal;
  }
  const failure =
    first && `invalid metrics (${invalid} invalid out of ${metrics.length}), first error is: ${first.summary}`;
  if (best === undefined || (first !== undefined && best.replicas < target.specReplicas)) {
    const { reason, message } = first ?? { reason: '', message: '' };
    status.set('ScalingActive', false, reason, `the HPA was unable to compute the replica count: ${message}`);
    return { statuses, proposal: undefined, failure: failure ?? 'no metrics' };
  }
  const found = `the HPA was able to successfully calculate a replica count from ${best.name}`;
  status.set('ScalingActive', true, 'ValidMetricFound', found);
  return { statuses, proposal: best, failure };
}

/** The selector of the target, if no other autoscaler scales the same pods. */
export function selectorOfTarget(
  hpa: HorizontalPodAutoscaler,
  { status: scaleStatus }: Scale,
  selected: SelectedPods,
  status: StatusDraft,
  recorder: EventRecorder,
): { readonly selector: LabelSelector; readonly pods: readonly Pod[] } | { readonly failure: string } {
  const text = scaleStatus?.selector ?? '';
  const refuse = (reason: string, event: string, failure: string, message = failure) => {
    recorder.event(hpa, 'Warning', event, failure);
    status.set('ScalingActive', false, reason, message);
    return { failure };
  };
  if (text === '') {
    const message = "the HPA target's scale is missing a selector";
    return refuse('InvalidSelector', 'SelectorRequired', 'selector is required', message);
  }
  let selector: LabelSelector;
  try {
    selector = parseLabelSelector(text);
  } catch (error) {
    const failure = `couldn't convert selector into a corresponding internal selector object: ${messageOf(error)}`;
    return refuse('InvalidSelector', 'InvalidSelector', failure);
  }
  const { pods, autoscalers } = selected(selector);
  if (autoscalers.length < 2) return { selector, pods };
  const failure = `pods by selector ${text} are controlled by multiple HPAs: [${autoscalers.join(' ')}]`;
  return refuse('AmbiguousSelector', 'AmbiguousSelector', failure);
}

/** The pods of the namespace that a selector matches, and the autoscalers that scale any of them, as `namespace/name`. */
export type SelectedPods = (selector: LabelSelector) => {
  readonly pods: readonly Pod[];
  readonly autoscalers: readonly string[];
};
