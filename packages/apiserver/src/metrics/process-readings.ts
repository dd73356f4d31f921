import { readdir, readFile } from 'node:fs/promises';
import { constants, monitorEventLoopDelay, PerformanceObserver, performance } from 'node:perf_hooks';
import type { MetricFacts, MetricRegistry } from '@binnacle/apimachinery/metrics';
import { processFacts } from './process-facts.js';

const LAG_RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;
/** How Prometheus' Go client shows it. */
const UNLIMITED = 2 ** 64;
const NETWORK = '/proc/self/net/netstat';

const collectionKinds: ReadonlyMap<number, string> = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakcb'],
]);

/** Collects metrics of the process and of Node.js. Starts to observe the event loop and garbage collection. */
export function readProcess(registry: MetricRegistry): void {
  const one = (facts: MetricFacts<readonly []>, read: () => number | undefined): void => {
    registry.readings(facts, () => reading(read()));
  };
  one(processFacts.cpu, () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  one(processFacts.residentMemory, () => process.memoryUsage.rss());
  one(processFacts.startTime, () => performance.timeOrigin / 1000);
  one(processFacts.heapTotal, () => process.memoryUsage().heapTotal);
  one(processFacts.heapUsed, () => process.memoryUsage().heapUsed);
  one(processFacts.external, () => process.memoryUsage().external);
  one(processFacts.loopUtilization, () => performance.eventLoopUtilization().utilization);
  registry.readings(processFacts.nodeVersion, () => [[[process.version], 1]]);
  fromProcFiles(registry);
  observeEventLoop(registry);
  observeCollections(registry);
}

/** Systems without `/proc` lack these metrics. */
function fromProcFiles(registry: MetricRegistry): void {
  const one = (facts: MetricFacts<readonly []>, read: () => Promise<number | undefined>): void => {
    registry.readings(facts, async () => reading(await read().catch(() => undefined)));
  };
  const limitOf = async (line: RegExp): Promise<number | undefined> => {
    const limits = await readFile('/proc/self/limits', 'utf8');
    const limit = line.exec(limits)?.[1];
    if (limit === undefined) return undefined;
    return limit === 'unlimited' ? UNLIMITED : Number(limit);
  };
  one(processFacts.maximumVirtualMemory, () => limitOf(/^Max address space +(\d+|unlimited)/m));
  one(processFacts.received, async () => octets(await readFile(NETWORK, 'utf8'), 'InOctets'));
  one(processFacts.transmitted, async () => octets(await readFile(NETWORK, 'utf8'), 'OutOctets'));
  one(processFacts.virtualMemory, async () => {
    const size = /^VmSize:\s+(\d+) kB$/m.exec(await readFile('/proc/self/status', 'utf8'))?.[1];
    return size === undefined ? undefined : Number(size) * 1024;
  });
  one(processFacts.openFiles, async () => (await readdir('/proc/self/fd')).length);
  one(processFacts.maximumFiles, () => limitOf(/^Max open files +(\d+|unlimited)/m));
}

/** The number under a heading in the two lines of `IpExt`: the names, then the values. */
function octets(text: string, name: string): number | undefined {
  const [names = [], values = []] = [...text.matchAll(/^IpExt: (.*)$/gm)].map(([, line = '']) => line.split(' '));
  const value = values[names.indexOf(name)];
  return value === undefined ? undefined : Number(value);
}

function observeEventLoop(registry: MetricRegistry): void {
  const delay = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  delay.enable();
  registry.readings(processFacts.loopLag, () => {
    // Delays are measured between two ticks of a timer; the excess over the interval is the lag.
    const lag = (nanoseconds: number): number =>
      Math.max(0, (nanoseconds || 0) / NANOSECONDS - LAG_RESOLUTION_MS / 1000);
    const readings = [
      [['mean'], lag(delay.mean)],
      [['p50'], lag(delay.percentile(50))],
      [['p99'], lag(delay.percentile(99))],
      [['max'], lag(delay.max)],
    ] as const;
    delay.reset();
    return readings;
  });
}

function observeCollections(registry: MetricRegistry): void {
  const durations = registry.histograms(processFacts.collections);
  new PerformanceObserver((list) => {
    for (const { detail, duration } of list.getEntries()) {
      const kind = collectionKinds.get(kindOf(detail)) ?? 'other';
      durations.with(kind).observe(duration / 1000);
    }
  }).observe({ type: 'gc' });
}

function kindOf(detail: unknown): number {
  return typeof detail === 'object' && detail !== null && 'kind' in detail ? Number(detail.kind) : 0;
}

function reading(value: number | undefined): readonly (readonly [readonly [], number])[] {
  return value === undefined ? [] : [[[], value]];
}
