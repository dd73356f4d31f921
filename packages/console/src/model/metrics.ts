/** A sample of Prometheus' text format. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** The samples of the metrics that are wanted. */
export function parseMetrics(text: string, wanted: ReadonlySet<string>): Sample[] {
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name = '', labels = '', value = ''] = LINE.exec(line) ?? [];
    if (!wanted.has(name)) continue;
    samples.push({
      name,
      labels: Object.fromEntries(Array.from(labels.matchAll(LABEL), ([, label = '', text = '']) => [label, text])),
      value: Number(value),
    });
  }
  return samples;
}

const REQUESTS = 'apiserver_request_total';
const DURATIONS = 'apiserver_request_duration_seconds_bucket';
const LONG = 'apiserver_longrunning_requests';
const INFLIGHT = 'apiserver_current_inflight_requests';
const QUEUED = 'apiserver_flowcontrol_current_inqueue_requests';
const MEMORY = 'process_resident_memory_bytes';
const QUEUES = 'workqueue_depth';
export const LOAD_METRICS: ReadonlySet<string> = new Set([REQUESTS, DURATIONS, LONG, INFLIGHT, QUEUED, MEMORY, QUEUES]);

/** What the server did between two readings. */
export interface Load {
  /** Requests a second. */
  readonly rate: number;
  /** Of these, answers with 5xx. */
  readonly failures: number;
  /** Seconds; undefined: no request in between. */
  readonly median: number | undefined;
  readonly p99: number | undefined;
  /** Seconds that 99 % of the requests took, by verb and resource, the slowest first. */
  readonly slowest: readonly (readonly [string, number])[];
  /** Objects that wait for control loops, by queue, the longest first. */
  readonly queues: readonly (readonly [string, number])[];
  /** Requests a second by verb, the most frequent first. */
  readonly verbs: readonly (readonly [string, number])[];
  /** Requests a second by resource, the most frequent first. */
  readonly resources: readonly (readonly [string, number])[];
  /** Watches by resource, the most first. */
  readonly watches: readonly (readonly [string, number])[];
  readonly watchCount: number;
  readonly inflight: number;
  readonly queued: number;
  /** Bytes; 0: unknown. */
  readonly memory: number;
}

/** The load between two readings that are `seconds` apart. */
export function loadBetween(before: readonly Sample[], after: readonly Sample[], seconds: number): Load {
  const requests = increases(before, after, REQUESTS);
  const verbs = sums(requests, ({ verb = '' }) => verb, seconds);
  const watches = sums(
    after.filter(({ name, labels }) => name === LONG && labels['verb'] === 'WATCH'),
    ({ resource = '' }) => resource,
    1,
  );
  const total = (samples: readonly Sample[]) => samples.reduce((sum, { value }) => sum + value, 0);
  const now = (name: string) => total(after.filter((sample) => sample.name === name));
  const durations = increases(before, after, DURATIONS).filter(
    ({ labels }) => !/^(WATCH|CONNECT)/.test(labels['verb'] ?? ''),
  );
  return {
    rate: total(requests) / seconds,
    failures: total(requests.filter(({ labels }) => (labels['code'] ?? '').startsWith('5'))) / seconds,
    median: quantile(durations, 0.5),
    p99: quantile(durations, 0.99),
    slowest: slowestOf(durations),
    queues: sums(
      after.filter(({ name }) => name === QUEUES),
      ({ name = '' }) => name,
      1,
    ),
    verbs,
    resources: sums(requests, ({ resource = '' }) => resource, seconds),
    watches,
    watchCount: watches.reduce((sum, [, count]) => sum + count, 0),
    inflight: now(INFLIGHT),
    queued: now(QUEUED),
    memory: now(MEMORY),
  };
}

function slowestOf(durations: readonly Sample[]): (readonly [string, number])[] {
  const groups = new Map<string, Sample[]>();
  for (const sample of durations) {
    const { verb = '', resource = '' } = sample.labels;
    const name = `${verb} ${resource}`.trim();
    groups.set(name, [...(groups.get(name) ?? []), sample]);
  }
  return Array.from(groups, ([name, samples]) => [name, quantile(samples, 0.99) ?? 0] as const)
    .filter(([, seconds]) => seconds > 0)
    .sort((a, b) => b[1] - a[1]);
}

/** How much each counter has grown. A counter that went down has restarted from zero. */
function increases(before: readonly Sample[], after: readonly Sample[], name: string): Sample[] {
  const old = new Map(before.filter((sample) => sample.name === name).map((sample) => [keyOf(sample), sample.value]));
  return after
    .filter((sample) => sample.name === name)
    .map((sample) => {
      const was = old.get(keyOf(sample)) ?? 0;
      return { ...sample, value: sample.value >= was ? sample.value - was : sample.value };
    });
}

const keyOf = ({ labels }: Sample): string => Object.values(labels).join('\0');

function sums(
  samples: readonly Sample[],
  groupOf: (labels: Readonly<Record<string, string>>) => string,
  seconds: number,
): (readonly [string, number])[] {
  const sum = new Map<string, number>();
  for (const { labels, value } of samples) {
    const group = groupOf(labels);
    sum.set(group, (sum.get(group) ?? 0) + value / seconds);
  }
  return [...sum].filter(([group, value]) => group !== '' && value > 0).sort((a, b) => b[1] - a[1]);
}

/** Upstream: Prometheus' `histogram_quantile`. */
function quantile(buckets: readonly Sample[], share: number): number | undefined {
  const byBound = new Map<number, number>();
  for (const { labels, value } of buckets) {
    const bound = labels['le'] === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels['le']);
    byBound.set(bound, (byBound.get(bound) ?? 0) + value);
  }
  const sorted = [...byBound].sort(([a], [b]) => a - b);
  const total = sorted.at(-1)?.[1] ?? 0;
  if (total === 0) return undefined;
  let [lower, below] = [0, 0];
  for (const [bound, count] of sorted) {
    if (count >= share * total) {
      if (bound === Number.POSITIVE_INFINITY) return lower;
      return count === below ? bound : lower + (bound - lower) * ((share * total - below) / (count - below));
    }
    [lower, below] = [bound, count];
  }
  return lower;
}
