import { counterFacts, exponentialBuckets, gaugeFacts, histogramFacts } from '@binnacle/apimachinery/metrics';

const CONTROLLER = ['controller'] as const;
const QUEUE = ['name', 'controller'] as const;
const RECONCILE_SECONDS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
const QUEUE_SECONDS = exponentialBuckets(1e-8, 10, 12);

/** Names, labels and buckets are controller-runtime's, so that its dashboards and alerts work. */
export const reconcileFacts = {
  total: counterFacts(
    'controller_runtime_reconcile_total',
    undefined,
    ['controller', 'result'],
    'Reconciles, by controller and result.',
  ),
  errors: counterFacts('controller_runtime_reconcile_errors_total', undefined, CONTROLLER, 'Reconciles that failed.'),
  terminalErrors: counterFacts(
    'controller_runtime_terminal_reconcile_errors_total',
    undefined,
    CONTROLLER,
    'Reconciles that failed with a terminal error.',
  ),
  timeouts: counterFacts(
    'controller_runtime_reconcile_timeouts_total',
    undefined,
    CONTROLLER,
    'Reconciles that timed out.',
  ),
  seconds: histogramFacts(
    'controller_runtime_reconcile_time_seconds',
    undefined,
    CONTROLLER,
    RECONCILE_SECONDS,
    'Duration of reconciles, in seconds.',
  ),
  concurrency: gaugeFacts(
    'controller_runtime_max_concurrent_reconciles',
    undefined,
    CONTROLLER,
    'Maximum number of concurrent reconciles.',
  ),
  active: gaugeFacts('controller_runtime_active_workers', undefined, CONTROLLER, 'Number of running reconciles.'),
};

export const queueFacts = {
  depth: gaugeFacts('workqueue_depth', undefined, [...QUEUE, 'priority'], 'Number of keys that wait for a worker.'),
  adds: counterFacts('workqueue_adds_total', undefined, QUEUE, 'Number of keys added.'),
  waited: histogramFacts(
    'workqueue_queue_duration_seconds',
    undefined,
    QUEUE,
    QUEUE_SECONDS,
    'Time that keys waited for a worker, in seconds.',
  ),
  worked: histogramFacts(
    'workqueue_work_duration_seconds',
    undefined,
    QUEUE,
    QUEUE_SECONDS,
    'Time that workers had keys, in seconds.',
  ),
  unfinished: gaugeFacts(
    'workqueue_unfinished_work_seconds',
    undefined,
    QUEUE,
    'Sum of the ages of unfinished work, in seconds. It grows if a worker hangs.',
  ),
  longest: gaugeFacts(
    'workqueue_longest_running_processor_seconds',
    undefined,
    QUEUE,
    'Age of the oldest unfinished work, in seconds.',
  ),
  retries: counterFacts('workqueue_retries_total', undefined, QUEUE, 'Number of keys added with a delay.'),
};
