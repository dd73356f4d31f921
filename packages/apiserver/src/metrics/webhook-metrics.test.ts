import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MetricRegistry } from '@binnacle/apimachinery/metrics';
import { webhookMetrics } from './webhook-metrics.js';

it('calls of webhooks are counted with bounded codes', async () => {
  const registry = new MetricRegistry();
  const observer = webhookMetrics(registry);
  const call = { name: 'w', type: 'admit', operation: 'CREATE' } as const;
  observer.called(call, 0.01, 9999, true);
  observer.rejected(call, 'no_error', 9999);
  observer.failedOpen(call);
  observer.conditions(call, 0.001, false, 2);
  observer.conditions(call, 0.001, true, 0);
  const series = new Map<string, unknown>();
  for (const { facts, series: all } of await registry.gather()) {
    for (const [labels, each] of all) {
      series.set(`${facts.name} ${labels.join()}`, 'value' in each ? each.value : each.counts.reduce((a, b) => a + b));
    }
  }
  assert.deepEqual(Object.fromEntries(series), {
    'apiserver_admission_webhook_admission_duration_seconds w,admit,CREATE,true': 1,
    'apiserver_admission_webhook_request_total w,admit,CREATE,600,true': 1,
    'apiserver_admission_webhook_rejection_count w,admit,CREATE,no_error,600': 1,
    'apiserver_admission_webhook_fail_open_count w,admit': 1,
    'apiserver_admission_match_condition_evaluation_seconds w,webhook,admit,CREATE': 2,
    'apiserver_admission_match_condition_evaluation_errors_total w,webhook,admit,CREATE': 2,
    'apiserver_admission_match_condition_exclusions_total w,webhook,admit,CREATE': 1,
  });
});
