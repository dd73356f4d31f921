import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { formatText, MetricRegistry } from '@binnacle/apimachinery/metrics';
import { conversionMetrics } from './conversion-metrics.js';

it('requests of conversion webhooks are counted and timed, with the kind of failure', async () => {
  const registry = new MetricRegistry();
  const clock = new VirtualClock();
  const observer = conversionMetrics(registry, clock)('crontabs.example.com');
  const first = observer.begun('v1', 'v2');
  await clock.advance(30);
  first();
  observer.begun('v2', 'v1')('partial_response');
  const lines = formatText(await registry.gather()).split('\n');
  assert.deepEqual(
    lines.filter((line) => /_(total|sum|count)\{/.test(line)),
    [
      'apiserver_conversion_webhook_duration_seconds_sum{failure_type="",result="success"} 0.03',
      'apiserver_conversion_webhook_duration_seconds_count{failure_type="",result="success"} 1',
      'apiserver_conversion_webhook_duration_seconds_sum{failure_type="conversion_webhook_partial_response_failure",result="failure"} 0',
      'apiserver_conversion_webhook_duration_seconds_count{failure_type="conversion_webhook_partial_response_failure",result="failure"} 1',
      'apiserver_conversion_webhook_request_total{failure_type="",result="success"} 1',
      'apiserver_conversion_webhook_request_total{failure_type="conversion_webhook_partial_response_failure",result="failure"} 1',
      'apiserver_crd_conversion_webhook_duration_seconds_sum{crd_name="crontabs.example.com",from_version="v1",succeeded="true",to_version="v2"} 0.03',
      'apiserver_crd_conversion_webhook_duration_seconds_count{crd_name="crontabs.example.com",from_version="v1",succeeded="true",to_version="v2"} 1',
      'apiserver_crd_conversion_webhook_duration_seconds_sum{crd_name="crontabs.example.com",from_version="v2",succeeded="false",to_version="v1"} 0',
      'apiserver_crd_conversion_webhook_duration_seconds_count{crd_name="crontabs.example.com",from_version="v2",succeeded="false",to_version="v1"} 1',
    ],
  );
});
