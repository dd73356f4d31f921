import { counterFacts, exponentialBuckets, gaugeFacts, histogramFacts } from '@binnacle/apimachinery/metrics';

const QUEUE = ['name'] as const;
const SECONDS = exponentialBuckets(1e-8, 10, 10);

/** Names, labels and buckets are kube-controller-manager's. Upstream: component-base `metrics/prometheus`. */
export const queueFacts = {
  depth: gaugeFacts('workqueue_depth', 'BETA', QUEUE, 'Number of keys that wait for a worker.'),
  adds: counterFacts('workqueue_adds_total', 'BETA', QUEUE, 'Number of keys added.'),
  waited: histogramFacts(
    'workqueue_queue_duration_seconds',
    'BETA',
    QUEUE,
    SECONDS,
    'Time that keys waited for a worker, in seconds.',
  ),
  worked: histogramFacts(
    'workqueue_work_duration_seconds',
    'BETA',
    QUEUE,
    SECONDS,
    'Time that workers had keys, in seconds.',
  ),
  unfinished: gaugeFacts(
    'workqueue_unfinished_work_seconds',
    'BETA',
    QUEUE,
    'Sum of the ages of unfinished work, in seconds. It grows if a worker hangs.',
  ),
  longest: gaugeFacts(
    'workqueue_longest_running_processor_seconds',
    'BETA',
    QUEUE,
    'Age of the oldest unfinished work, in seconds.',
  ),
  retries: counterFacts('workqueue_retries_total', 'BETA', QUEUE, 'Number of keys added with a delay.'),
};

const CLIENT = ['verb', 'host'] as const;
const LATENCIES = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const SIZES = [64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216];

/** Upstream: component-base `metrics/prometheus/restclient`. */
export const clientFacts = {
  requests: counterFacts(
    'rest_client_requests_total',
    'ALPHA',
    ['code', 'method', 'host'],
    'Number of requests of control loops and the scheduler, partitioned by status code, method, and host. Each attempt counts.',
  ),
  duration: histogramFacts(
    'rest_client_request_duration_seconds',
    'ALPHA',
    CLIENT,
    LATENCIES,
    'Time until the answer of a request has been read, in seconds, watches excepted. Broken down by verb, and host.',
  ),
  requestSize: histogramFacts(
    'rest_client_request_size_bytes',
    'ALPHA',
    CLIENT,
    SIZES,
    'Request size in bytes. Broken down by verb and host.',
  ),
  responseSize: histogramFacts(
    'rest_client_response_size_bytes',
    'ALPHA',
    CLIENT,
    SIZES,
    'Response size in bytes, watches excepted. Broken down by verb and host.',
  ),
  retries: counterFacts(
    'rest_client_request_retries_total',
    'ALPHA',
    ['code', 'verb', 'host'],
    'Number of requests that were sent again, partitioned by status code, verb, and host.',
  ),
};

export const managerFacts = {
  running: gaugeFacts(
    'running_managed_controllers',
    'BETA',
    ['name', 'manager'],
    'Whether a control loop runs: 0 while it has failed and waits for its restart, or waits for the lease.',
  ),
  leads: gaugeFacts('leader_election_master_status', 'ALPHA', ['name'], 'Whether this manager holds the lease.'),
};
