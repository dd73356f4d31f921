import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { histogramFacts } from './facts.js';
import { MetricRegistry } from './registry.js';
import { formatText } from './text-format.js';
import { TimingSeries } from './timing-series.js';

describe('TimingSeries', () => {
  it('observes its number at each nanosecond', () => {
    const series = new TimingSeries([0, 0.5, 1], 10);
    series.set(0.5, 12);
    series.set(2, 15);
    series.advance(16);
    assert.deepEqual([series.counts, series.sum], [[2e6, 3e6, 0, 1e6], 3.5e6]);
  });

  it('does not go back in time', () => {
    const series = new TimingSeries([0, 1], 10);
    series.set(1, 8);
    series.advance(9);
    series.advance(11);
    assert.deepEqual([series.counts, series.sum], [[0, 1e6, 0], 1e6]);
  });
});

describe('a metric of numbers over time', () => {
  it('includes the time until the scrape', async () => {
    const registry = new MetricRegistry();
    let now = 5;
    const family = registry.timings(histogramFacts('load', 'ALPHA', ['of'], [0, 1], 'Load.'), () => now);
    family.with('x').set(1, 6);
    now = 9;
    assert.deepEqual(
      formatText(await registry.gather())
        .split('\n')
        .slice(1),
      [
        '# TYPE load histogram',
        'load_bucket{of="x",le="0"} 1e+06',
        'load_bucket{of="x",le="1"} 4e+06',
        'load_bucket{of="x",le="+Inf"} 4e+06',
        'load_sum{of="x"} 3e+06',
        'load_count{of="x"} 4e+06',
        '',
      ],
    );
  });
});
