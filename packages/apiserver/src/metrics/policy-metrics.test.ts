import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MetricRegistry } from '@binnacle/apimachinery/metrics';
import { policyMetrics } from './policy-metrics.js';

it('expressions of policies are counted and timed by policy, binding and outcome', async () => {
  const registry = new MetricRegistry();
  const observer = policyMetrics(registry);
  const check = { policy: 'p', binding: 'b', outcome: 'invalid_error' } as const;
  observer.validated(check, 'deny', 0.005);
  observer.validated(check, 'deny', 0.5);
  observer.mutated({ ...check, outcome: 'no_error' }, 0.005);
  const shown: unknown[] = [];
  for (const { facts, series } of await registry.gather()) {
    for (const [labels, each] of series) {
      shown.push([facts.name, labels.join(), 'value' in each ? each.value : [...each.counts]]);
    }
  }
  assert.deepEqual(shown, [
    ['apiserver_mutating_admission_policy_check_duration_seconds', 'p,b,no_error', [0, 0, 1, 0, 0, 0]],
    ['apiserver_mutating_admission_policy_check_total', 'p,b,no_error', 1],
    ['apiserver_validating_admission_policy_check_duration_seconds', 'p,b,invalid_error,deny', [0, 0, 1, 0, 1, 0]],
    ['apiserver_validating_admission_policy_check_total', 'p,b,invalid_error,deny', 2],
  ]);
});
