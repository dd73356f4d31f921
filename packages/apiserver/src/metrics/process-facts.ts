import { counterFacts, gaugeFacts, histogramFacts } from '@binnacle/apimachinery/metrics';

/** Metrics of the process and of Node.js, under the names that other Node.js programs use. */
export const processFacts = {
  cpu: counterFacts('process_cpu_seconds_total', undefined, [], 'Total user and system CPU time spent in seconds.'),
  residentMemory: gaugeFacts('process_resident_memory_bytes', undefined, [], 'Resident memory size in bytes.'),
  virtualMemory: gaugeFacts('process_virtual_memory_bytes', undefined, [], 'Virtual memory size in bytes.'),
  maximumVirtualMemory: gaugeFacts(
    'process_virtual_memory_max_bytes',
    undefined,
    [],
    'Maximum amount of virtual memory available in bytes.',
  ),
  received: counterFacts(
    'process_network_receive_bytes_total',
    undefined,
    [],
    'Number of bytes received over the network by all processes of the network namespace.',
  ),
  transmitted: counterFacts(
    'process_network_transmit_bytes_total',
    undefined,
    [],
    'Number of bytes sent over the network by all processes of the network namespace.',
  ),
  openFiles: gaugeFacts('process_open_fds', undefined, [], 'Number of open file descriptors.'),
  maximumFiles: gaugeFacts('process_max_fds', undefined, [], 'Maximum number of open file descriptors.'),
  startTime: gaugeFacts(
    'process_start_time_seconds',
    undefined,
    [],
    'Start time of the process since unix epoch in seconds.',
  ),
  nodeVersion: gaugeFacts('nodejs_version_info', undefined, ['version'], '1, labelled with the version of Node.js.'),
  heapTotal: gaugeFacts('nodejs_heap_size_total_bytes', undefined, [], 'Size of the heap, in bytes.'),
  heapUsed: gaugeFacts('nodejs_heap_size_used_bytes', undefined, [], 'Used size of the heap, in bytes.'),
  external: gaugeFacts(
    'nodejs_external_memory_bytes',
    undefined,
    [],
    'Memory of buffers and other things outside the heap, in bytes.',
  ),
  loopLag: gaugeFacts(
    'nodejs_eventloop_lag_seconds',
    undefined,
    ['statistic'],
    'How late the event loop was since the previous scrape, in seconds: mean, p50, p99 and max. Observed from the first scrape on.',
  ),
  loopUtilization: gaugeFacts(
    'nodejs_eventloop_utilization',
    undefined,
    [],
    'The share of its time since the start that the event loop was busy, 0 to 1.',
  ),
  collections: histogramFacts(
    'nodejs_gc_duration_seconds',
    undefined,
    ['kind'],
    [0.001, 0.01, 0.1, 1, 2, 5],
    'How long garbage collections took, in seconds, by kind. Observed from the first scrape on.',
  ),
  build: gaugeFacts(
    'kubernetes_build_info',
    'BETA',
    [
      'major',
      'minor',
      'git_version',
      'git_commit',
      'git_tree_state',
      'build_date',
      'go_version',
      'compiler',
      'platform',
    ],
    "A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.",
  ),
};

/** What the server says of its release. Upstream: component-base `metrics/prometheus/compatversion`, `metrics/prometheus/feature`. */
export const releaseFacts = {
  version: gaugeFacts(
    'version_info',
    'ALPHA',
    ['component', 'binary', 'emulation', 'min_compat'],
    'Provides the compatibility version info of the component.',
  ),
  feature: gaugeFacts(
    'kubernetes_feature_enabled',
    'BETA',
    ['name', 'stage'],
    'Whether a feature gate that the server knows is on, with its stage: ALPHA, BETA, DEPRECATED, or empty for a stable one.',
  ),
};

/** Metrics of the health checks, on a separate endpoint. Upstream: component-base `metrics/prometheus/slis`. */
export const healthFacts = {
  check: gaugeFacts(
    'kubernetes_healthcheck',
    'STABLE',
    ['name', 'type'],
    'This metric records the result of a single healthcheck.',
  ),
  checks: counterFacts(
    'kubernetes_healthchecks_total',
    'STABLE',
    ['name', 'type', 'status'],
    'This metric records the results of all healthcheck.',
  ),
};
