import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { counterFacts, exponentialBuckets, gaugeFacts, histogramFacts } from './facts.js';
import { MetricRegistry } from './registry.js';
import { formatText, textPieces } from './text-format.js';

async function textOf(registry: MetricRegistry): Promise<string[]> {
  return formatText(await registry.gather()).split('\n');
}

describe('the Prometheus text of metrics', () => {
  it('sorts metrics by name and labels by label name', async () => {
    const registry = new MetricRegistry();
    const second = registry.numbers(counterFacts('z_total', 'STABLE', ['verb', 'code'], 'Last.'));
    registry.numbers(counterFacts('never_total', 'ALPHA', ['verb'], 'Not counted yet.'));
    registry.readings(gaugeFacts('a', undefined, [], 'First,\nof \\ all.'), () => [[[], 1.5]]);
    second.with('GET', '200').value += 2;
    second.with('GET', '200').value++;
    second.with('"\\\n', '500').value++;
    assert.deepEqual(await textOf(registry), [
      '# HELP a First,\\nof \\\\ all.',
      '# TYPE a gauge',
      'a 1.5',
      '# HELP z_total [STABLE] Last.',
      '# TYPE z_total counter',
      'z_total{code="200",verb="GET"} 3',
      'z_total{code="500",verb="\\"\\\\\\n"} 1',
      '',
    ]);
  });

  it('is made in pieces of one series', async () => {
    const registry = new MetricRegistry();
    const family = registry.numbers(counterFacts('many_total', 'ALPHA', ['index'], 'Many.'));
    for (let index = 0; index < 500; index++) family.with(String(index)).value++;
    const pieces = [...textPieces(await registry.gather())];
    assert.equal(pieces.length, 500);
    assert.ok(pieces.every((piece) => piece.length < 100 && piece.endsWith('\n')));
  });

  it('accumulates buckets and writes their bounds as Go does', async () => {
    const registry = new MetricRegistry();
    const sizes = registry.histograms(histogramFacts('s', 'BETA', ['of'], exponentialBuckets(1000, 1000, 3), 'Sizes.'));
    for (const size of [1, 1000, 1001, 5e9]) sizes.with('x').observe(size);
    assert.deepEqual((await textOf(registry)).slice(2), [
      's_bucket{of="x",le="1000"} 2',
      's_bucket{of="x",le="1e+06"} 3',
      's_bucket{of="x",le="1e+09"} 3',
      's_bucket{of="x",le="+Inf"} 4',
      's_sum{of="x"} 5.000002002e+09',
      's_count{of="x"} 4',
      '',
    ]);
  });

  it('is empty without series, and waits for readings', async () => {
    const registry = new MetricRegistry();
    registry.readings(gaugeFacts('late', undefined, ['of'], 'Asked.'), () =>
      Promise.resolve([[['x'], Number.POSITIVE_INFINITY] as const, [['y'], Number.NaN] as const]),
    );
    registry.readings(gaugeFacts('nothing', undefined, [], 'Nothing.'), () => []);
    assert.deepEqual((await textOf(registry)).slice(2), ['late{of="x"} +Inf', 'late{of="y"} NaN', '']);
  });

  it('rejects a second metric of the same name', () => {
    const registry = new MetricRegistry();
    registry.numbers(gaugeFacts('twice', undefined, [], ''));
    assert.throws(() => registry.numbers(gaugeFacts('twice', undefined, [], '')), /two metrics twice/);
  });
});
