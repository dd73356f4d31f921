import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MetricRegistry } from '@binnacle/apimachinery/metrics';
import { podSecurityMetrics } from './pod-security-metrics.js';

it('decisions of PodSecurity are counted, with a bounded set of versions', async () => {
  const registry = new MetricRegistry();
  const observer = podSecurityMetrics(registry);
  const pods = { group: '', version: 'v1', resource: 'pods' };
  const deployments = { group: 'apps', version: 'v1', resource: 'deployments' };
  const pod = { operation: 'UPDATE', resource: pods, subresource: 'ephemeralcontainers' } as const;
  const deployment = { operation: 'CREATE', resource: deployments, subresource: '' } as const;
  const latest = Number.POSITIVE_INFINITY;
  observer.evaluated(pod, 'deny', { level: 'baseline', minor: latest }, 'enforce');
  observer.evaluated(deployment, 'deny', { level: 'restricted', minor: 24 }, 'warn');
  observer.evaluated(deployment, 'deny', { level: 'restricted', minor: 37 }, 'audit');
  observer.evaluated(pod, 'allow', { level: 'privileged', minor: 24 }, 'enforce');
  observer.exempt(deployment);
  observer.invalidLabels(pod);
  const shown: string[] = [];
  for (const { facts, series } of await registry.gather()) {
    for (const [labels, each] of series)
      shown.push([facts.name, labels.join(), 'value' in each && each.value].join(' '));
  }
  assert.deepEqual(shown, [
    'pod_security_errors_total false,update,pod,ephemeralcontainers 1',
    'pod_security_evaluations_total deny,baseline,latest,enforce,update,pod,ephemeralcontainers 1',
    'pod_security_evaluations_total deny,restricted,v1.24,warn,create,controller, 1',
    'pod_security_evaluations_total deny,restricted,future,audit,create,controller, 1',
    'pod_security_evaluations_total allow,privileged,latest,enforce,update,pod,ephemeralcontainers 1',
    'pod_security_exemptions_total create,controller, 1',
  ]);
});
