import { type PodUsage, usageSum } from './pod-usage.js';

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [Labels, number];

/** The answer of `/metrics/resource`, in Prometheus' text format. `now`: milliseconds since the epoch. */
export function resourceMetrics(pods: readonly PodUsage[], now: number): string {
  const each = (value: (usage: PodUsage['containers'][number]) => number): Sample[] =>
    pods.flatMap(({ pod, containers }) =>
      containers.map((usage): Sample => [{ container: usage.name, ...labelsOf(pod) }, value(usage)]),
    );
  const whole = (value: (usage: ReturnType<typeof usageSum>) => number): Sample[] =>
    pods.map(({ pod, containers }): Sample => [labelsOf(pod), value(usageSum(containers))]);
  const node = usageSum(pods.flatMap(({ containers }) => containers));
  const families: readonly (readonly [string, string, string, readonly Sample[]])[] = [
    [
      'container_cpu_usage_seconds_total',
      'counter',
      'Cumulative cpu time consumed by the container in core-seconds',
      each(({ cpuSeconds }) => cpuSeconds),
    ],
    [
      'container_memory_working_set_bytes',
      'gauge',
      'Current working set of the container in bytes',
      each(({ memory }) => memory),
    ],
    [
      'container_start_time_seconds',
      'gauge',
      'Start time of the container since unix epoch in seconds',
      each(({ startedAt }) => startedAt / 1000),
    ],
    [
      'node_cpu_usage_seconds_total',
      'counter',
      'Cumulative cpu time consumed by the node in core-seconds',
      [[{}, node.cpuSeconds]],
    ],
    ['node_memory_working_set_bytes', 'gauge', 'Current working set of the node in bytes', [[{}, node.memory]]],
    [
      'pod_cpu_usage_seconds_total',
      'counter',
      'Cumulative cpu time consumed by the pod in core-seconds',
      whole(({ cpuSeconds }) => cpuSeconds),
    ],
    ['pod_memory_working_set_bytes', 'gauge', 'Current working set of the pod in bytes', whole(({ memory }) => memory)],
    [
      'resource_scrape_error',
      'gauge',
      '1 if there was an error while getting container metrics, 0 otherwise',
      [[{}, 0]],
    ],
  ];
  return families
    .map(([name, type, help, samples]) => {
      const isTimed = name !== 'resource_scrape_error' && name !== 'container_start_time_seconds';
      const lines = samples.map(([labels, value]) => `${name}${textOf(labels)} ${value}${isTimed ? ` ${now}` : ''}\n`);
      return `# HELP ${name} [STABLE] ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
    })
    .join('');
}

function labelsOf({ metadata: { namespace = '', name = '' } }: PodUsage['pod']): Labels {
  return { namespace, pod: name };
}

/** Names of objects need no escapes. */
function textOf(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
