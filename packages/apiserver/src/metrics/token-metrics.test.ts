import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { formatText, MetricRegistry } from '@binnacle/apimachinery/metrics';
import { tokenCacheMetrics } from './token-metrics.js';

it('the metrics of a cache of tokens', async () => {
  const registry = new MetricRegistry();
  const clock = new VirtualClock();
  const observer = tokenCacheMetrics(registry, clock);
  const lines = async (): Promise<string[]> =>
    formatText(await registry.gather())
      .split('\n')
      .filter((line) => /(total|count|sum)\{/.test(line))
      .map((line) => line.replace('authentication_token_cache_', ''));
  observer.hit();
  const [first, second] = [observer.missed(), observer.missed()];
  const fetched = observer.fetching();
  await clock.advance(200);
  assert.deepEqual(
    (await lines()).filter((line) => line.startsWith('active')),
    ['active_fetch_count{status="blocked"} 2', 'active_fetch_count{status="in_flight"} 1'],
  );
  fetched(true);
  first();
  second();
  observer.fetching()(false);
  assert.deepEqual(await lines(), [
    'active_fetch_count{status="blocked"} 0',
    'active_fetch_count{status="in_flight"} 0',
    'fetch_total{status="ok"} 1',
    'fetch_total{status="error"} 1',
    'request_duration_seconds_sum{status="hit"} 0',
    'request_duration_seconds_count{status="hit"} 1',
    'request_duration_seconds_sum{status="miss"} 0.4',
    'request_duration_seconds_count{status="miss"} 2',
    'request_total{status="hit"} 1',
    'request_total{status="miss"} 2',
  ]);
});
