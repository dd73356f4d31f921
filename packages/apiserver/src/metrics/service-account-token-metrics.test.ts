import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatText, MetricRegistry } from '@binnacle/apimachinery/metrics';
import { serviceAccountTokenMetrics } from './service-account-token-metrics.js';

it('counts the uses of service account tokens', async () => {
  const registry = new MetricRegistry();
  const used = serviceAccountTokenMetrics(registry);
  for (const use of ['legacy', 'manual', 'legacy', 'invalidated', 'stale', 'valid'] as const) used(use);
  const lines = formatText(await registry.gather()).split('\n');
  assert.deepEqual(
    lines.filter((line) => line.startsWith('serviceaccount_')),
    [
      'serviceaccount_invalid_legacy_auto_token_uses_total 1',
      'serviceaccount_legacy_auto_token_uses_total 0',
      'serviceaccount_legacy_manual_token_uses_total 1',
      'serviceaccount_legacy_tokens_total 2',
      'serviceaccount_stale_tokens_total 1',
      'serviceaccount_valid_tokens_total 1',
    ],
  );
});
