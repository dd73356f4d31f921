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

export const managerFacts = {
  running: gaugeFacts(
    'running_managed_controllers',
    'BETA',
    ['name', 'manager'],
    'Whether a control loop runs: 0 while it has failed and waits for its restart, or waits for the lease.',
  ),
  leads: gaugeFacts('leader_election_master_status', 'ALPHA', ['name'], 'Whether this manager holds the lease.'),
};
