import { messageOf } from '@binnacle/apimachinery/errors';
import type { LabelSelectorObject } from '@binnacle/apimachinery/labels';
import type { MetricSpec, MetricTarget, MetricValueStatus } from '@binnacle/client/kinds/autoscaling/v2';
import { selectorText } from '../common/index.js';
import {
  type MetricReader,
  type MetricSource,
  type MetricTargetState,
  milli,
  named,
  plain,
  textOf,
} from './metric-source.js';
import type { ObjectQuery } from './metrics-api.js';
import { MetricsError, replicasForRatio, replicasForShares, sumOf } from './replica-calculator.js';

export function objectSource(
  { object: spec }: MetricSpec,
  target: MetricTargetState,
  { api, signal }: MetricReader,
): MetricSource {
  const { metric = { name: '' }, target: wanted, describedObject = { kind: '', name: '' } } = spec ?? {};
  const isAverage = wanted?.type === 'AverageValue' && wanted.averageValue !== undefined;
  const middle = isAverage ? `failed to get ${metric.name} object metric: ` : '';
  return {
    reason: 'FailedGetObjectMetric',
    summary: (message) => `failed to get object metric value: ${middle}${message}`,
    async propose() {
      if (!isAverage && (wanted?.type !== 'Value' || wanted.value === undefined)) {
        const what = 'neither a value target nor an average value target was set';
        throw new MetricsError(`invalid object metric source: ${what}`);
      }
      const { namespace } = target;
      const query = {
        namespace,
        object: describedObject,
        metric: metric.name,
        metricSelector: textOf(metric.selector),
      };
      const value = await ofObject(query, { api, signal });
      const { replicas, current } = fromValue(value, wanted, target);
      const status = { type: 'Object', object: { describedObject, metric, current } };
      const plainName = `${describedObject.kind} metric ${metric.name}`;
      return { replicas, name: isAverage ? externalName(metric) : plainName, status };
    },
  };
}

/** The words are in the order in which upstream has them. */
async function ofObject(query: ObjectQuery, { api, signal }: MetricReader): Promise<bigint> {
  const { object, namespace, metric } = query;
  try {
    return await api.ofObject(query, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    throw new MetricsError(
      `unable to get metric ${metric}: ${object.kind} on ${namespace} ${object.name}/${messageOf(error)}`,
    );
  }
}

export function externalSource(
  { external: spec }: MetricSpec,
  target: MetricTargetState,
  { api, signal }: MetricReader,
): MetricSource {
  const { metric = { name: '' }, target: wanted } = spec ?? {};
  const isAverage = wanted?.averageValue !== undefined;
  const middle = isAverage
    ? `failed to get ${metric.name} external metric: `
    : `failed to get external metric ${metric.name}: `;
  const isInvalid = !isAverage && wanted?.value === undefined;
  return {
    reason: 'FailedGetExternalMetric',
    summary: (message) => `failed to get ${metric.name} external metric value: ${isInvalid ? '' : middle}${message}`,
    async propose() {
      if (isInvalid) {
        const what = 'neither a value target nor an average value target was set';
        throw new MetricsError(`invalid external metric source: ${what}`);
      }
      const { namespace } = target;
      const query = { namespace, metric: metric.name, metricSelector: textOf(metric.selector) };
      const what = `unable to get external metric ${namespace}/${metric.name}/${selectorText(metric.selector)}`;
      const value = sumOf(await named(what, () => api.ofExternal(query, signal)));
      const { replicas, current } = fromValue(value < MOST ? value : MOST, wanted, target);
      return { replicas, name: externalName(metric), status: { type: 'External', external: { metric, current } } };
    },
  };
}

/** The largest int64. */
const MOST = 2n ** 63n - 1n;

function fromValue(
  value: bigint,
  wanted: MetricTarget,
  { specReplicas, statusReplicas, pods, tolerances }: MetricTargetState,
): { readonly replicas: number; readonly current: MetricValueStatus } {
  if (wanted.averageValue !== undefined && (wanted.type === 'AverageValue' || wanted.value === undefined)) {
    const { replicas, average } = replicasForShares(statusReplicas, value, milli(wanted.averageValue), tolerances);
    return { replicas, current: { averageValue: plain(average) } };
  }
  const ratio = Number(value) / Number(milli(wanted.value ?? '0'));
  return { replicas: replicasForRatio(specReplicas, ratio, pods, tolerances), current: { value: plain(value) } };
}

function externalName({ name, selector }: { readonly name: string; readonly selector?: LabelSelectorObject }): string {
  return `external metric ${name}(${selectorText(selector)})`;
}
