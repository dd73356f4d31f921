import type { MetricSpec } from '@binnacle/client/kinds/autoscaling/v2';
import {
  type MetricReader,
  type MetricSource,
  type MetricTargetState,
  milli,
  named,
  plain,
  textOf,
} from './metric-source.js';
import { groupPods, type PodMetrics } from './pod-metrics.js';
import { averageOf, checkHasPods, type Measured, replicasForPods } from './replica-calculator.js';

export function podsSource(
  { pods: spec }: MetricSpec,
  target: MetricTargetState,
  { api, signal }: MetricReader,
): MetricSource {
  return {
    reason: 'FailedGetPodsMetric',
    summary: (message) => `failed to get pods metric value: ${message}`,
    async propose() {
      const { metric = { name: '' }, target: wanted } = spec ?? {};
      const { namespace, selector } = target;
      const query = {
        namespace,
        selector: selector.toString(),
        metric: metric.name,
        metricSelector: textOf(metric.selector),
      };
      const metrics = await named(`unable to get metric ${metric.name}`, () => api.ofPods(query, signal));
      const { replicas, usage } = replicasForAverage(metrics, wanted?.averageValue ?? '0', false, target);
      const status = { type: 'Pods', pods: { metric, current: { averageValue: plain(usage.average) } } };
      return { replicas, name: `pods metric ${metric.name}`, status };
    },
  };
}

/** The replicas that bring the average of the pods to a value. */
export function replicasForAverage(
  metrics: PodMetrics,
  averageValue: string,
  isCpu: boolean,
  { pods, specReplicas, tolerances, periods, now }: MetricTargetState,
): Measured {
  checkHasPods(pods);
  const wanted = milli(averageValue);
  const groups = groupPods(pods, metrics, isCpu, periods, now);
  return replicasForPods(
    specReplicas,
    groups,
    (values) => averageOf(values, wanted),
    () => wanted,
    tolerances,
  );
}
