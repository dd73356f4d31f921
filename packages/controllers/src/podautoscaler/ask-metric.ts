import { messageOf } from '@binnacle/apimachinery/errors';
import type { MetricSpec } from '@binnacle/client/kinds/autoscaling/v2';
import type { MetricReader, MetricSource, MetricTargetState, Proposal } from './metric-source.js';
import { podsSource } from './pods-metric.js';
import { MetricsError } from './replica-calculator.js';
import { containerSource, resourceSource } from './resource-metrics.js';
import { externalSource, objectSource } from './value-metrics.js';

/** A metric without a proposal. */
export interface Refusal {
  readonly reason: string;
  /** For the event and the condition. */
  readonly message: string;
  /** For the summary of all metrics. */
  readonly summary: string;
}

type Answer = { readonly proposal: Proposal } | { readonly refusal: Refusal };

/** Asks one metric. Rejects only if the request was stopped. */
export async function askMetric(spec: MetricSpec, target: MetricTargetState, reader: MetricReader): Promise<Answer> {
  const { reason, summary, propose } = sourceOf(spec, target, reader);
  try {
    return { proposal: await propose() };
  } catch (error) {
    if (reader.signal.aborted) throw error;
    const message = messageOf(error);
    return { refusal: { reason, message, summary: summary(message) } };
  }
}

function sourceOf(spec: MetricSpec, target: MetricTargetState, reader: MetricReader): MetricSource {
  switch (spec.type) {
    case 'Resource':
      return resourceSource(spec, target, reader);
    case 'ContainerResource':
      return containerSource(spec, target, reader);
    case 'Pods':
      return podsSource(spec, target, reader);
    case 'Object':
      return objectSource(spec, target, reader);
    case 'External':
      return externalSource(spec, target, reader);
    default:
      return {
        reason: 'InvalidMetricSourceType',
        summary: (message) => message,
        propose: async () => {
          throw new MetricsError(`unknown metric source type ${JSON.stringify(spec.type)}`);
        },
      };
  }
}
