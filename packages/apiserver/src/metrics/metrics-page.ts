import type { MetricFacts } from '@binnacle/apimachinery/metrics';
import { aggregationFacts } from './aggregation-metrics.js';
import { allocationFacts } from './allocation-metrics.js';
import { authorizationFacts } from './authorization-facts.js';
import { certificateFacts } from './certificate-metrics.js';
import { impersonationFacts } from './impersonation-metrics.js';
import { serviceAccountTokenFacts } from './service-account-token-metrics.js';
import { tokenCacheFacts, tokenFacts } from './token-metrics.js';
import { auditFacts } from './audit-metrics.js';
import { conversionFacts } from './conversion-metrics.js';
import { expressionFacts } from './expression-facts.js';
import { flowControlFacts } from './flow-control-facts.js';
import { memoryFacts } from './memory-metrics.js';
import { podSecurityFacts } from './pod-security-metrics.js';
import { policyFacts } from './policy-metrics.js';
import { healthFacts, processFacts, releaseFacts } from './process-facts.js';
import { requestFacts } from './request-facts.js';
import { storageFacts } from './storage-facts.js';
import { webhookFacts } from './webhook-facts.js';

/** Tables of facts may name their rows alike. */
type Section = readonly [title: string, ...tables: readonly Readonly<Record<string, MetricFacts>>[]];

const sections: readonly Section[] = [
  ['Requests', requestFacts],
  [
    'Authentication and authorization',
    certificateFacts,
    tokenFacts,
    tokenCacheFacts,
    serviceAccountTokenFacts,
    authorizationFacts,
    impersonationFacts,
  ],
  ['Admission policies and PodSecurity', policyFacts, podSecurityFacts],
  ['Rules of custom resources', expressionFacts],
  ['Webhooks', webhookFacts, conversionFacts],
  ['Aggregation', aggregationFacts],
  ['Audit', auditFacts],
  ['Priority and fairness', flowControlFacts],
  ['Cluster IPs and node ports', allocationFacts],
  ['Memory', memoryFacts],
  ['Store and caches', storageFacts],
  ['Process', processFacts, releaseFacts],
  ['Health checks, at `/metrics/slis`', healthFacts],
];

/** Renders docs/metrics.md. `others`: what other parts of the process add. */
export function renderMetricsPage(others: readonly Section[]): string {
  return [
    '<!-- Made by `npm run generate` from packages/apiserver/src/metrics and packages/controllers/src/status. -->',
    '# Metrics',
    '',
    '`/metrics` returns Prometheus text to any client allowed to `get` that path; by default `system:masters` and the group',
    '`system:monitoring`. Names, labels, buckets, help and stability are those of kube-apiserver 1.36 where it has the metric. A metric',
    'without series is left out, and so are the series of caches that no client has used. The number of series is bounded: a request that no',
    'handler serves, such as one for an unknown path, counts only in the metrics of authentication and authorization.',
    '',
    '`kubectl get --raw /metrics` prints them. For Prometheus, bind the ClusterRole `system:monitoring` to its user or service account.',
    '',
    ...[...sections, ...others].flatMap(([title, ...tables]) => [
      `## ${title}`,
      '',
      '| metric | type | labels | stability | meaning |',
      '| --- | --- | --- | --- | --- |',
      ...tables.flatMap((facts) => Object.values(facts).map(row)),
      '',
    ]),
  ].join('\n');
}

function row({ name, type, labels, stability, help, deprecatedSince }: MetricFacts): string {
  const names = labels.map((label) => `\`${label}\``).join(', ');
  const promise = stability === undefined ? '' : stability.toLowerCase();
  const since = deprecatedSince === undefined ? '' : `, deprecated since ${deprecatedSince}`;
  return `| \`${name}\` | ${type} | ${names} | ${promise}${since} | ${help} |`;
}
