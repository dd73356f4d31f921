import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counterFacts, formatText, MetricRegistry } from '@binnacle/apimachinery/metrics';
import { mergeMetrics, sharedTexts } from './merge-metrics.js';

test('the metrics of several processes are one text, whose samples name the process', () => {
  const one = [
    '# HELP a_total Counts {a}.',
    '# TYPE a_total counter',
    'a_total{code="200"} 1',
    '# HELP c_bytes A gauge.',
    '# TYPE c_bytes gauge',
    'c_bytes 5',
    '',
  ].join('\n');
  const two = [
    '# HELP a_total Counts {a}.',
    '# TYPE a_total counter',
    'a_total{code="200"} 2',
    'a_total{code="say \\"{}\\""} 3',
    '# HELP b_seconds A histogram.',
    '# TYPE b_seconds histogram',
    'b_seconds_bucket{le="+Inf"} 4',
    'b_seconds_sum 0.5',
    'b_seconds_count 4',
    '',
  ].join('\n');
  assert.equal(
    mergeMetrics([
      { worker: 'primary', text: one },
      { worker: '1', text: two },
    ]),
    [
      '# HELP a_total Counts {a}.',
      '# TYPE a_total counter',
      'a_total{worker="primary",code="200"} 1',
      'a_total{worker="1",code="200"} 2',
      'a_total{worker="1",code="say \\"{}\\""} 3',
      '# HELP b_seconds A histogram.',
      '# TYPE b_seconds histogram',
      'b_seconds_bucket{worker="1",le="+Inf"} 4',
      'b_seconds_sum{worker="1"} 0.5',
      'b_seconds_count{worker="1"} 4',
      '# HELP c_bytes A gauge.',
      '# TYPE c_bytes gauge',
      'c_bytes{worker="primary"} 5',
      '',
    ].join('\n'),
  );
  assert.equal(mergeMetrics([{ worker: '1', text: '' }]), '');
});

test('it reads what the registry writes', async () => {
  const registry = new MetricRegistry();
  registry.numbers(counterFacts('many_total', 'ALPHA', ['of'], 'Many.')).with('x').value = 7;
  const text = formatText(await registry.gather());
  const merged = mergeMetrics([
    { worker: '1', text },
    { worker: '2', text },
  ]);
  assert.equal(
    merged,
    '# HELP many_total [ALPHA] Many.\n# TYPE many_total counter\nmany_total{worker="1",of="x"} 7\nmany_total{worker="2",of="x"} 7\n',
  );
});

test('requests that come while a text is made share it', async () => {
  const made: string[] = [];
  const texts = sharedTexts(async (path) => {
    made.push(path);
    await Promise.resolve();
    return `${path} ${made.length}`;
  });
  const [one, other] = await Promise.all([texts('/metrics'), texts('/metrics'), texts('/metrics/slis')]);
  assert.equal(one, other);
  assert.deepEqual(made, ['/metrics', '/metrics/slis']);
  await texts('/metrics');
  assert.equal(made.length, 3);
});
