import type { EventRecorder } from '@binnacle/client/events';
import type { HorizontalPodAutoscaler, MetricStatus } from '@binnacle/client/kinds/autoscaling/v2';
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
