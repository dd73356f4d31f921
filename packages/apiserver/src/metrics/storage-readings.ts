import { type Clock, Deadline } from '@binnacle/apimachinery/clock';
import type { MetricFacts, MetricRegistry, Readings } from '@binnacle/apimachinery/metrics';
import { formatGroupResource, type GroupResource } from '@binnacle/apimachinery/meta';
import type { Cacher } from '../cacher/index.js';
import { storageFacts } from './storage-facts.js';

/** The stored objects of one resource, and their cache. */
export interface ObservedStorage {
  readonly resource: GroupResource;
  readonly storage: { count(signal: AbortSignal): Promise<number> };
  readonly cacher: Cacher;
}

export interface StorageReadingsOptions {
  readonly registry: MetricRegistry;
  readonly storages: () => Iterable<ObservedStorage>;
  /** The size of the store in bytes. */
  readonly sizeBytes: (signal: AbortSignal) => Promise<number>;
  readonly clock: Clock;
}

/** The longest time that a scrape waits for the store. Upstream: `monitorCollector`. */
const TIMEOUT_MS = 1000;
const FIFTEEN_DIGITS = 1e15;

/** Collects metrics of caches and of the store at each scrape. A cache that was never requested has no metrics. */
export function readStorages({ registry, storages, sizeBytes, clock }: StorageReadingsOptions): void {
  const ofCachers = (
    facts: MetricFacts<readonly ['group', 'resource']>,
    value: (cacher: Cacher) => number | undefined,
  ): void => {
    registry.readings(facts, function* () {
      for (const { resource, cacher } of storages()) {
        const read = cacher.wanted ? value(cacher) : undefined;
        if (read !== undefined) yield [[resource.group, resource.resource], read];
      }
    });
  };
  ofCachers(storageFacts.received, ({ statistics }) => statistics.received);
  ofCachers(storageFacts.cacheReceived, ({ statistics }) => statistics.received);
  ofCachers(storageFacts.dispatched, ({ statistics }) => statistics.received);
  ofCachers(storageFacts.initialEvents, ({ statistics }) => statistics.initialEvents);
  ofCachers(storageFacts.initializations, ({ statistics }) => statistics.initializations);
  ofCachers(storageFacts.terminatedWatchers, ({ statistics }) => statistics.fellBehind);
  ofCachers(storageFacts.objectBytes, ({ built, estimatedBytes }) => (built ? estimatedBytes : undefined));
  ofCachers(storageFacts.capacity, ({ capacity }) => capacity);
  ofCachers(storageFacts.cacheRevision, ({ built, revision }) => (built ? revision % FIFTEEN_DIGITS : undefined));

  let counts: Promise<readonly (readonly [GroupResource, number])[]> | undefined;
  // Two metrics share one count; the first that is collected starts it.
  const counted = (): typeof counts & object => {
    counts ??= countObjects(storages(), clock).finally(() => {
      counts = undefined;
    });
    return counts;
  };
  registry.readings(storageFacts.objects, async () =>
    (await counted()).map(([{ group, resource }, count]) => [[group, resource], count] as const),
  );
  registry.readings(storageFacts.objectsByName, async () =>
    (await counted()).map(([resource, count]) => [[formatGroupResource(resource)], count] as const),
  );
  registry.readings(storageFacts.size, async (): Promise<Readings<readonly ['storage_cluster_id']>> => {
    const size = await answerOf(clock, (signal) => sizeBytes(signal));
    return size === undefined ? [] : [[['etcd-0'], size]];
  });
}

/** Counts in the cache if there is one, otherwise in the store. -1 when the store does not answer. */
function countObjects(
  storages: Iterable<ObservedStorage>,
  clock: Clock,
): Promise<(readonly [GroupResource, number])[]> {
  return Promise.all(
    Array.from(storages, async ({ resource, storage, cacher }) => {
      const count = cacher.built ? cacher.size : await answerOf(clock, (signal) => storage.count(signal));
      return [resource, count ?? -1] as const;
    }),
  );
}

async function answerOf<T>(clock: Clock, ask: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  using deadline = new Deadline(clock, TIMEOUT_MS, undefined, 'metrics of the store');
  try {
    return await ask(deadline.signal);
  } catch {
    return undefined;
  }
}
