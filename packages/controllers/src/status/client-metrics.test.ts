import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatText, MetricRegistry } from '@binnacle/apimachinery/metrics';
import { ClientMetrics } from './client-metrics.js';

it('counts requests by code, method and host', async () => {
  const registry = new MetricRegistry();
  const observer = new ClientMetrics(registry).observerFor('server:6443');
  observer.sent('POST', 429, 100);
  observer.retried('POST', 429);
  observer.ended('POST', 0.01, 0);
  observer.sent('POST', 201, 100);
  observer.ended('POST', 0.2, 300);
  observer.sent('GET', undefined, 0);
  observer.ended('GET', 3, undefined);
  const lines = formatText(await registry.gather()).split('\n');
  const labels = (verb: string) => `host="server:6443",verb="${verb}"`;
  for (const line of [
    'rest_client_requests_total{code="429",host="server:6443",method="POST"} 1',
    'rest_client_requests_total{code="201",host="server:6443",method="POST"} 1',
    'rest_client_requests_total{code="<error>",host="server:6443",method="GET"} 1',
    `rest_client_request_retries_total{code="429",${labels('POST')}} 1`,
    `rest_client_request_duration_seconds_bucket{${labels('POST')},le="0.025"} 1`,
    `rest_client_request_duration_seconds_bucket{${labels('POST')},le="0.25"} 2`,
    `rest_client_request_duration_seconds_sum{${labels('GET')}} 3`,
    `rest_client_request_size_bytes_sum{${labels('POST')}} 200`,
    `rest_client_response_size_bytes_sum{${labels('POST')}} 300`,
    `rest_client_response_size_bytes_count{${labels('GET')}} 0`,
  ]) {
    assert.ok(lines.includes(line), line);
  }
});
