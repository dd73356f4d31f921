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
    'Requests that were answered, by verb, dry run, resource, scope, component and status code.',
  ),
  duration: histogramFacts(
    'apiserver_request_duration_seconds',
    'STABLE',
    dryRunRequest,
    latencyBuckets,
    'How long answering took, in seconds, by verb, dry run, resource, scope and component.',
  ),
  sliDuration: histogramFacts(
    'apiserver_request_sli_duration_seconds',
    'ALPHA',
    request,
    fromFiftyMilliseconds,
    'How long answering took without what others took (webhooks, queues), in seconds; dry runs are left out.',
  ),
  responseSizes: histogramFacts(
    'apiserver_response_sizes',
    'STABLE',
    request,
    exponentialBuckets(1000, 10, 7),
    'Sizes of the answers to gets, lists and watches, in bytes as they were sent.',
  ),
  longRunning: gaugeFacts(
    'apiserver_longrunning_requests',
    'STABLE',
    request,
    'Watches and other requests without a deadline that are being served.',
  ),
  inFlight: gaugeFacts(
    'apiserver_current_inflight_requests',
    'STABLE',
    ['request_kind'],
    'Most requests served at once during the last second, by whether they only read; long-running ones are left out.',
  ),
  terminations: counterFacts(
    'apiserver_request_terminations_total',
    'ALPHA',
    [...request, 'code'],
    'Requests that the server ended in self-defence, by the status that they were answered with.',
  ),
  deprecated: gaugeFacts(
    'apiserver_requested_deprecated_apis',
    'STABLE',
    ['group', 'version', 'resource', 'subresource', 'removed_release'],
    '1 for every deprecated API that has been asked for, with the release that removes it.',
  ),
  watchEvents: counterFacts('apiserver_watch_events_total', 'ALPHA', served, 'Events sent to watches.'),
  watchEventSizes: histogramFacts(
    'apiserver_watch_events_sizes',
    'ALPHA',
    served,
    exponentialBuckets(1024, 2, 8),
    'Sizes of the events sent to watches, in bytes.',
  ),
  users: counterFacts(
    'authenticated_user_requests',
    'ALPHA',
    ['username'],
    'Authenticated requests, by a few well-known user names; all others count as one.',
  ),
  authentications: counterFacts('authentication_attempts', 'ALPHA', ['result'], 'Authentications, by result.'),
  authenticationDuration: histogramFacts(
    'authentication_duration_seconds',
    'ALPHA',
    ['result'],
    accessBuckets,
    'How long authentication took, in seconds, by result.',
  ),
  authorizations: counterFacts(
    'authorization_attempts_total',
    'ALPHA',
    ['result'],
    'Authorizations, by result: allowed, denied, no-opinion or error.',
  ),
  authorizationDuration: histogramFacts(
    'authorization_duration_seconds',
    'ALPHA',
    ['result'],
    accessBuckets,
    'How long authorization took, in seconds, by result.',
  ),
  admissionStepDuration: histogramFacts(
    'apiserver_admission_step_admission_duration_seconds',
    'STABLE',
    ['type', 'operation', 'rejected'],
    [0.005, 0.025, 0.1, 0.5, 1, 2.5],
    'How long all admission plugins took together, in seconds, by type (admit or validate), operation and refusal.',
  ),
  admissionDuration: histogramFacts(
    'apiserver_admission_controller_admission_duration_seconds',
    'STABLE',
    ['name', 'type', 'operation', 'rejected'],
    [0.005, 0.025, 0.1, 0.5, 1, 2.5],
    'How long an admission plugin took, in seconds, by type (admit or validate), operation and whether it refused.',
  ),
};
