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

/** Several tables of facts may have the same keys. */
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

/** Metrics of kube-apiserver that the server does not have, and why. */
const absent: readonly (readonly [names: readonly string[], why: string])[] = [
  [
    ['go_*', 'registered_metrics_total', 'hidden_metrics_total', 'disabled_metrics_total', 'cardinality_enforcement_*'],
    "They describe Go's runtime and upstream's library of metrics. `nodejs_*` describe the runtime here.",
  ],
  [
    ['apiserver_admission_step_admission_duration_seconds_summary'],
    'It is a summary with quantiles. The histogram `apiserver_admission_step_admission_duration_seconds` counts the same steps.',
  ],
  [['apiserver_selfrequest_total'], 'The server calls its own functions instead of sending requests to itself.'],
  [
    ['apiserver_request_post_timeout_total'],
    'The server does not observe a handler whose request has timed out. `apiserver_request_terminations_total` counts these requests.',
  ],
  [
    ['apiserver_request_timestamp_comparison_time', 'apiextensions_apiserver_validation_ratcheting_seconds'],
    'These steps of an update are not timed separately.',
  ],
  [
    ['apiserver_flowcontrol_epoch_advance_total', 'apiserver_flowcontrol_next_*_bounds'],
    "They describe the numbers in which kube-apiserver counts its queues' virtual time.",
  ],
  [
    ['apiserver_egress_dialer_*', 'apiserver_konnectivity_*'],
    'There is no egress selector: the server connects directly, and the API server proxy has no konnectivity client.',
  ],
  [
    ['apiserver_validation_declarative_*', 'apiserver_validation_duplicate_validation_error_total'],
    'kube-apiserver compares two implementations of its validation. Here there is one.',
  ],
  [
    ['apiserver_kube_aggregator_x509_*', 'apiserver_webhooks_x509_*'],
    'They count certificates that the TLS library of Go refuses. Node.js has rules of its own, and does not say which one has failed.',
  ],
  [
    ['apiserver_nodeport_repair_*', 'apiserver_clusterip_repair_*'],
    'No loop repairs allocations, because the server derives them from the stored Services.',
  ],
  [
    ['aggregator_discovery_*', 'apiserver_peer_*', 'apiserver_rerouted_request_total'],
    'Servers do not proxy requests to each other, so discovery contains no resources of peers. It is made once for each change.',
  ],
  [
    ['apiextensions_openapi_*_regeneration_count', 'aggregator_openapi_v2_regeneration_*'],
    'OpenAPI documents are made when a client asks for them.',
  ],
  [
    ['apiserver_envelope_encryption_dek_cache_*', 'apiserver_storage_data_key_generation_failures_total'],
    'The first belong to KMS v1. Data keys are random bytes, made without a call that can fail.',
  ],
  [
    ['etcd_bookmark_*', 'etcd_lease_object_counts', 'grpc_client_*', 'apiserver_storage_consistency_checks_total'],
    "They describe etcd's client in Go. `etcd_request_*` count the requests to each store.",
  ],
  [
    ['rest_client_rate_limiter_duration_seconds', 'rest_client_dns_resolution_duration_seconds'],
    'Control loops have no limit of their own, and send their requests inside the process. Priority and fairness limits them.',
  ],
  [
    ['rest_client_exec_plugin_*', 'rest_client_transport_*'],
    "They describe the caches of client-go's transports, and credentials from plugins, which control loops do not use.",
  ],
  [
    ['apiserver_delegated_authn_*', 'apiserver_delegated_authz_*'],
    'Only extension API servers delegate. `@binnacle/client` has no metrics.',
  ],
  [['apiserver_externaljwt_*'], 'There is no external signer of tokens; keys are in files.'],
  [
    [
      'apiserver_stream_*_requests_total',
      'apiserver_websocket_streaming_requests_total',
      'kube_apiserver_pods_logs_*',
      'apiserver_certificates_registry_*',
      'apiserver_authentication_jwt_authenticator_jwks_*',
      'node_authorizer_*',
      'watch_cache_capacity_*_total',
    ],
    'They are not counted yet.',
  ],
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
    '## Metrics of kube-apiserver that do not exist here',
    '',
    '| metrics | why |',
    '| --- | --- |',
    ...absent.map(([names, why]) => `| ${names.map((name) => `\`${name}\``).join(', ')} | ${why} |`),
    '',
  ].join('\n');
}

function row({ name, type, labels, stability, help, deprecatedSince }: MetricFacts): string {
  const names = labels.map((label) => `\`${label}\``).join(', ');
  const promise = stability === undefined ? '' : stability.toLowerCase();
  const since = deprecatedSince === undefined ? '' : `, deprecated since ${deprecatedSince}`;
  return `| \`${name}\` | ${type} | ${names} | ${promise}${since} | ${help} |`;
}
