import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MetricRegistry } from '@binnacle/apimachinery/metrics';
import { aggregationMetrics } from './aggregation-metrics.js';

it('aggregationMetrics: shows which APIServices are unavailable, and counts how often they became so', async () => {
  const registry = new MetricRegistry();
  const services = [
    { name: 'v1.a', isAvailable: true },
    { name: 'v1.b', isAvailable: false },
  ];
  const becameUnavailable = aggregationMetrics(registry, () => services);
  becameUnavailable('v1.b', 'ServiceNotFound');
  becameUnavailable('v1.b', 'ServiceNotFound');
  const gathered = await registry.gather();
  const seriesOf = (name: string) =>
    Array.from(gathered.find(({ facts }) => facts.name === name)?.series ?? [], ([labels, series]) => [
      ...labels,
      'value' in series ? series.value : undefined,
    ]);
  assert.deepEqual(seriesOf('aggregator_unavailable_apiservice'), [
    ['v1.a', 0],
    ['v1.b', 1],
  ]);
  assert.deepEqual(seriesOf('aggregator_unavailable_apiservice_total'), [['v1.b', 'ServiceNotFound', 2]]);
});
