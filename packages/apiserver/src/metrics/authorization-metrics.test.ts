import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatText, MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { Decision } from '../authorization/index.js';
import { AuthorizationMetrics } from './authorization-metrics.js';
import { attributes } from './attributes.testing.js';

/** The values of counters, and the counts of histograms. */
async function counts(registry: MetricRegistry): Promise<string[]> {
  return formatText(await registry.gather())
    .split('\n')
    .filter((line) => /_(total|count)\{/.test(line))
    .map((line) => line.replace('apiserver_authorization_', ''));
}

describe('authorization metrics', () => {
  it('count what an authorizer allows and denies, and not the cases without an opinion', async () => {
    const registry = new MetricRegistry();
    const decisions: (Decision | Promise<Decision>)[] = [
      { allowed: true, reason: '' },
      Promise.resolve({ allowed: false, denied: true, reason: '' }),
      { allowed: false, reason: '' },
      Promise.resolve({ allowed: true, reason: 'x' }),
    ];
    const authorizer = new AuthorizationMetrics(registry).observed(
      { type: 'RBAC', name: 'rbac' },
      { authorize: () => decisions.shift() ?? assert.fail('none left') },
    );
    assert.deepEqual(authorizer.authorize(attributes), { allowed: true, reason: '' }, 'at once');
    for (let rest = 0; rest < 3; rest++) await authorizer.authorize(attributes);
    assert.deepEqual(await counts(registry), [
      'decisions_total{decision="allowed",name="rbac",type="RBAC"} 2',
      'decisions_total{decision="denied",name="rbac",type="RBAC"} 1',
    ]);
  });

  it('count the calls of a webhook, and the outcomes of its conditions', async () => {
    const registry = new MetricRegistry();
    const webhook = new AuthorizationMetrics(registry).webhook('w');
    webhook.called('success', 0.1);
    webhook.called('timeout', 3);
    webhook.failedOpen('timeout');
    for (const outcome of ['matched', 'excluded', 'error'] as const) webhook.conditionsEvaluated(outcome, 0.001);
    assert.deepEqual(await counts(registry), [
      'match_condition_evaluation_errors_total{name="w",type="Webhook"} 1',
      'match_condition_evaluation_seconds_count{name="w",type="Webhook"} 3',
      'match_condition_exclusions_total{name="w",type="Webhook"} 1',
      'webhook_duration_seconds_count{name="w",result="success"} 1',
      'webhook_duration_seconds_count{name="w",result="timeout"} 1',
      'webhook_evaluations_fail_open_total{name="w",result="timeout"} 1',
      'webhook_evaluations_total{name="w",result="success"} 1',
      'webhook_evaluations_total{name="w",result="timeout"} 1',
    ]);
  });
});
