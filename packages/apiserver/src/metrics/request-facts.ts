import { counterFacts, exponentialBuckets, gaugeFacts, histogramFacts } from '@binnacle/apimachinery/metrics';

/** The labels of most request metrics. */
const request = ['verb', 'group', 'version', 'resource', 'subresource', 'scope', 'component'] as const;
const dryRunRequest = ['verb', 'dry_run', 'group', 'version', 'resource', 'subresource', 'scope', 'component'] as const;
const served = ['group', 'version', 'resource'] as const;

const fromFiftyMilliseconds = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
const latencyBuckets = [0.005, 0.025, ...fromFiftyMilliseconds];
const accessBuckets = exponentialBuckets(0.001, 2, 15);

/** Metrics of requests. Upstream: apiserver `pkg/endpoints/metrics`, `pkg/endpoints/filters/metrics.go`, release 1.36. */
export const requestFacts = {
  total: counterFacts(
    'apiserver_request_total',
    'STABLE',
    [...dryRunRequest, 'code'],
    'Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.',
  ),
  duration: histogramFacts(
    'apiserver_request_duration_seconds',
    'STABLE',
    dryRunRequest,
    latencyBuckets,
    'Response latency distribution in seconds for each verb, dry run value, group, version, resource, subresource, scope and component.',
  ),
  sliDuration: histogramFacts(
    'apiserver_request_sli_duration_seconds',
    'ALPHA',
    request,
    fromFiftyMilliseconds,
    'Response latency distribution (not counting webhook duration and priority & fairness queue wait times) in seconds for each verb, group, version, resource, subresource, scope and component.',
  ),
  responseSizes: histogramFacts(
    'apiserver_response_sizes',
    'STABLE',
    request,
    exponentialBuckets(1000, 10, 7),
    'Response size distribution in bytes for each group, version, verb, resource, subresource, scope and component.',
  ),
  longRunning: gaugeFacts(
    'apiserver_longrunning_requests',
    'STABLE',
    request,
    'Gauge of all active long-running apiserver requests broken out by verb, group, version, resource, scope and component. Not all requests are tracked this way.',
  ),
  inFlight: gaugeFacts(
    'apiserver_current_inflight_requests',
    'STABLE',
    ['request_kind'],
    'Maximal number of currently used inflight request limit of this apiserver per request kind in last second.',
  ),
  inQueue: gaugeFacts(
    'apiserver_current_inqueue_requests',
    'ALPHA',
    ['request_kind'],
    'Maximal number of queued requests in this apiserver per request kind in last second.',
  ),
  terminations: counterFacts(
    'apiserver_request_terminations_total',
    'ALPHA',
    [...request, 'code'],
    'Number of requests which apiserver terminated in self-defense.',
  ),
  aborts: counterFacts(
    'apiserver_request_aborts_total',
    'ALPHA',
    ['verb', ...served, 'subresource', 'scope'],
    'Number of requests which apiserver aborted possibly due to a timeout, for each group, version, verb, resource, subresource and scope',
  ),
  bodySizes: histogramFacts(
    'apiserver_request_body_size_bytes',
    'ALPHA',
    ['group', 'resource', 'verb'],
    Array.from({ length: 31 }, (_, index) => 50_000 + index * 100_000),
    'Apiserver request body size in bytes broken out by resource and verb.',
  ),
  fieldValidation: histogramFacts(
    'field_validation_request_duration_seconds',
    'ALPHA',
    ['field_validation'],
    fromFiftyMilliseconds,
    'Response latency distribution in seconds for each field validation value',
  ),
  deprecated: gaugeFacts(
    'apiserver_requested_deprecated_apis',
    'STABLE',
    ['group', 'version', 'resource', 'subresource', 'removed_release'],
    'Gauge of deprecated APIs that have been requested, broken out by API group, version, resource, subresource, and removed_release.',
  ),
  filterDuration: histogramFacts(
    'apiserver_request_filter_duration_seconds',
    'ALPHA',
    ['filter'],
    [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 10, 15, 30],
    'Time that a filter takes for a request that it passes on, in seconds, for each filter: authentication, audit, constrainedimpersonation, priorityandfairness, authorization.',
  ),
  watchLists: histogramFacts(
    'apiserver_watch_list_duration_seconds',
    'BETA',
    [...served, 'scope'],
    [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 15, 20, 30, 45, 60],
    'Response latency distribution in seconds for watch list requests broken by group, version, resource and scope.',
  ),
  watchEvents: counterFacts('apiserver_watch_events_total', 'ALPHA', served, 'Number of events sent in watch clients'),
  watchEventSizes: histogramFacts(
    'apiserver_watch_events_sizes',
    'ALPHA',
    served,
    exponentialBuckets(1024, 2, 8),
    'Watch event size distribution in bytes',
  ),
  users: counterFacts(
    'authenticated_user_requests',
    'ALPHA',
    ['username'],
    'Counter of authenticated requests broken out by username.',
  ),
  authentications: counterFacts('authentication_attempts', 'ALPHA', ['result'], 'Counter of authenticated attempts.'),
  authenticationDuration: histogramFacts(
    'authentication_duration_seconds',
    'ALPHA',
    ['result'],
    accessBuckets,
    'Authentication duration in seconds broken out by result.',
  ),
  authorizations: counterFacts(
    'authorization_attempts_total',
    'ALPHA',
    ['result'],
    "Counter of authorization attempts broken down by result. It can be either 'allowed', 'denied', 'no-opinion' or 'error'.",
  ),
  authorizationDuration: histogramFacts(
    'authorization_duration_seconds',
    'ALPHA',
    ['result'],
    accessBuckets,
    'Authorization duration in seconds broken out by result.',
  ),
  admissionStepDuration: histogramFacts(
    'apiserver_admission_step_admission_duration_seconds',
    'STABLE',
    ['type', 'operation', 'rejected'],
    [0.005, 0.025, 0.1, 0.5, 1, 2.5],
    'Admission sub-step latency histogram in seconds, broken out for each operation and API resource and step type (validate or admit).',
  ),
  admissionDuration: histogramFacts(
    'apiserver_admission_controller_admission_duration_seconds',
    'STABLE',
    ['name', 'type', 'operation', 'rejected'],
    [0.005, 0.025, 0.1, 0.5, 1, 2.5],
    'Admission controller latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).',
  ),
};
