import { Quantity } from '@binnacle/apimachinery/quantity';
import type { MetricSpec, MetricTarget, MetricValueStatus } from '@binnacle/client/kinds/autoscaling/v2';
import { type MetricReader, type MetricSource, type MetricTargetState, named } from './metric-source.js';
import { groupPods, type PodMetrics } from './pod-metrics.js';
import { requestsOf } from './pod-requests.js';
import { replicasForAverage } from './pods-metric.js';
import { checkHasPods, type Measured, MetricsError, replicasForPods, utilizationOf } from './replica-calculator.js';

export function resourceSource(
  { resource }: MetricSpec,
  target: MetricTargetState,
  { api, signal }: MetricReader,
): MetricSource {
  const { name = '', target: wanted } = resource ?? {};
  return {
    reason: 'FailedGetResourceMetric',
    summary: (message) => `failed to get ${name} resource metric value: ${message}`,
    async propose() {
      const { replicas, current } = await fromResource(name, undefined, wanted, target, { api, signal });
      const utilized = `${name} resource utilization (percentage of request)`;
      const status = { type: 'Resource', resource: { name, current } };
      return { replicas, name: current.averageUtilization === undefined ? `${name} resource` : utilized, status };
    },
  };
}

export function containerSource(
  { containerResource }: MetricSpec,
  target: MetricTargetState,
  { api, signal }: MetricReader,
): MetricSource {
  const { name = '', container = '', target: wanted } = containerResource ?? {};
  return {
    reason: 'FailedGetContainerResourceMetric',
    summary: (message) => `failed to get ${container} container metric value: ${message}`,
    async propose() {
      const { replicas, current } = await fromResource(name, container, wanted, target, { api, signal });
      const utilized = `${name} container resource utilization (percentage of request)`;
      const status = { type: 'ContainerResource', containerResource: { name, container, current } };
      return { replicas, name: current.averageUtilization === undefined ? `${name} resource` : utilized, status };
    },
  };
}

async function fromResource(
  resource: string,
  container: string | undefined,
  wanted: MetricTarget | undefined,
  target: MetricTargetState,
  { api, signal }: MetricReader,
): Promise<{ readonly replicas: number; readonly current: MetricValueStatus }> {
  const { averageValue, averageUtilization } = wanted ?? {};
  const kind = averageValue === undefined ? 'utilization' : 'usage';
  if (averageValue === undefined && averageUtilization === undefined) {
    const what = 'neither an average utilization target nor an average value (usage) target was set';
    throw new MetricsError(`invalid resource metric source: ${what}`);
  }
  const measured = await named(`failed to get ${resource} ${kind}`, async () => {
    const { namespace, selector } = target;
    const query = { namespace, selector: selector.toString(), resource, container };
    const metrics = await named(`unable to get metrics for resource ${resource}`, () => api.ofResource(query, signal));
    if (averageValue !== undefined) return replicasForAverage(metrics, averageValue, resource === 'cpu', target);
    return fromUtilization(metrics, averageUtilization ?? 0, resource, container, target);
  });
  const { replicas, usage } = measured;
  const value = Quantity.ofMilli(usage.average, resource === 'memory' ? 'BinarySI' : 'DecimalSI').toString();
  const { utilization } = usage;
  return {
    replicas,
    current: { ...(utilization === undefined ? {} : { averageUtilization: utilization }), averageValue: value },
  };
}

function fromUtilization(
  metrics: PodMetrics,
  percent: number,
  resource: string,
  container: string | undefined,
  { pods, specReplicas, tolerances, periods, now }: MetricTargetState,
): Measured {
  checkHasPods(pods);
  const groups = groupPods(pods, metrics, resource === 'cpu', periods, now);
  // Without any metrics, that is the error to report, not missing requests.
  const requests = groups.values.size === 0 ? new Map<string, bigint>() : requestsOf(pods, resource, container);
  const share = BigInt(Math.max(100, percent));
  const fallback = (pod: string) => ((requests.get(pod) ?? 0n) * share) / 100n;
  const usageOf = (values: ReadonlyMap<string, bigint>) => utilizationOf(values, requests, percent);
  return replicasForPods(specReplicas, groups, usageOf, fallback, tolerances);
}
