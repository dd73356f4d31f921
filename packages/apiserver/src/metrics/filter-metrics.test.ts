import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { formatText, MetricRegistry } from '@binnacle/apimachinery/metrics';
import { type Filter, RequestContext } from '../request/index.js';
import { FakeExchange } from '../testing/index.js';
import { filterTimes } from './filter-metrics.js';

it('times the filters that a request passes', async () => {
  const registry = new MetricRegistry();
  const clock = new VirtualClock();
  const timed = filterTimes(registry, () => clock.monotonic());
  const context = new RequestContext(new FakeExchange({ url: '/api' }), '/api', new URLSearchParams(), 0);
  const left: string[] = [];
  const filterOf = (name: string, enter: Filter['enter']): Filter => ({ name, enter, leave: () => left.push(name) });
  const quick = timed(
    'quick',
    filterOf('quick', () => undefined),
  );
  assert.equal(quick.enter(context), undefined);
  quick.leave?.(context);
  const entered = timed(
    'slow',
    filterOf('slow', () => clock.advance(20)),
  ).enter(context);
  await entered;
  const refusing = timed('refusing', {
    name: 'refusing',
    enter: () => {
      throw new Error('no');
    },
  });
  assert.throws(() => refusing.enter(context));
  assert.deepEqual([quick.name, left], ['quick', ['quick']]);
  const lines = formatText(await registry.gather()).split('\n');
  const [metric, labels] = ['apiserver_request_filter_duration_seconds', (name: string) => `filter="${name}"`];
  for (const line of [
    `${metric}_bucket{${labels('quick')},le="0.0001"} 1`,
    `${metric}_bucket{${labels('slow')},le="0.01"} 0`,
    `${metric}_bucket{${labels('slow')},le="0.03"} 1`,
    `${metric}_count{${labels('refusing')}} 0`,
  ]) {
    assert.ok(lines.includes(line), line);
  }
});
