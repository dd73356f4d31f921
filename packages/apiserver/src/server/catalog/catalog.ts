import { deprecationWarning, kubernetesVersion, type ResourceFacts, type ServedSet } from '@binnacle/api/table';
import type { Clock, Random } from '@binnacle/apimachinery/clock';
import { formatGroupResource, formatGroupVersion } from '@binnacle/apimachinery/meta';
import type { KV } from '@binnacle/kv';
import { type AdmissionObserver, type AdmissionPlugin, pluginsFor } from '../../admission/index.js';
import { objectView, type ResourceEndpoint } from '../../endpoints/index.js';
import type { StorageMediaType } from '../../codec/index.js';
import type { ResourceMetrics } from '../../metrics/index.js';
import { type Allocator, ResourceReader, ResourceStore, type Strategy, type WriteGuard } from '../../registry/index.js';
import { strategyOf, withoutPrivileged } from '../../resources/index.js';
import { fieldLabelsOf, selectionOf } from './field-labels.js';
import { createStorageUnit, representativesOf, type StorageUnit, type StorageUnitOptions } from './storage-unit.js';
import { type SubresourceHandlers, subresourcesOf } from './subresources.js';
import { fieldRulesOf } from './reset-fields.js';

export interface CatalogOptions {
  readonly kv: KV;
  readonly storeOf?: StorageUnitOptions['storeOf'];
  /** The prefix of every key: `/registry/`. */
  readonly storagePrefix: string;
  /** The encoding of stored objects. */
  readonly storageMediaType: StorageMediaType;
  readonly served: ServedSet;
  readonly clock: Clock;
  readonly random: Random;
  readonly plugins: readonly AdmissionPlugin[];
  readonly admissionObserver: AdmissionObserver;
  /** By `resource.group`. */
  readonly allocators: ReadonlyMap<string, Allocator>;
  /** By `resource.group`. */
  readonly guards: ReadonlyMap<string, WriteGuard>;
  /** Seconds after its last write at which an object is deleted, by `resource.group`; other objects do not expire. */
  readonly ttlSeconds: ReadonlyMap<string, number>;
  readonly subresourceHandlers: SubresourceHandlers;
  /** Whether pods may have privileged containers. */
  readonly allowPrivileged: boolean;
  readonly minimumWatchSeconds: number;
  /** Whether reads use the caches. */
  readonly watchCache: boolean;
  readonly metrics: ResourceMetrics;
  readonly feedGate?: StorageUnitOptions['feedGate'];
}

/** Every served and stored resource of the table, ready for the router. */
export class Catalog {
  readonly endpoints: readonly ResourceEndpoint[];
  readonly units: ReadonlyMap<string, StorageUnit>;

  constructor(options: CatalogOptions) {
    const { kv, storeOf, storagePrefix, storageMediaType, metrics, feedGate, clock, random } = options;
    const shared = { kv, storeOf, storagePrefix, storageMediaType, metrics, feedGate, clock, random };
    const units = new Map<string, StorageUnit>();
    for (const [prefix, facts] of representativesOf(options.served)) {
      const selection = selectionOf(strategyOf(facts.group, facts.resource));
      units.set(prefix, createStorageUnit(facts, { ...shared, ...selection }));
    }
    this.units = units;
    this.endpoints = options.served.resources.flatMap((facts) => {
      const unit = units.get(facts.etcdPrefix ?? '');
      if (unit === undefined) return [];
      const equivalents = (): readonly ResourceEndpoint[] => this.#sharing(unit);
      return [createEndpoint(facts, unit, equivalents, options)];
    });
  }

  /** The endpoint of a resource in its preferred served version. */
  find(group: string, resource: string): ResourceEndpoint | undefined {
    return this.endpoints.find(
      (endpoint) => endpoint.resource.group === group && endpoint.resource.resource === resource,
    );
  }

  #sharing({ versions }: StorageUnit): readonly ResourceEndpoint[] {
    return this.endpoints.filter((endpoint) => endpoint.versions === versions);
  }

  /** The caches that clients have used and that are not ready: being built, or cut off from the store. */
  unreadyCaches(): readonly string[] {
    return [...this.units.values()]
      .filter(({ cacher }) => cacher.wanted && !cacher.built)
      .map(({ resource }) => formatGroupResource(resource));
  }

  stop(): void {
    for (const unit of this.units.values()) unit.cacher.stop();
  }
}

function createEndpoint(
  facts: ResourceFacts,
  unit: StorageUnit,
  equivalents: ResourceEndpoint['equivalents'],
  options: CatalogOptions,
): ResourceEndpoint {
  const { group, version, resource, kind, namespaced } = facts;
  const codec = unit.codecs.get(formatGroupVersion(facts));
  if (codec === undefined) throw new Error(`no codec for ${resource} in ${formatGroupVersion(facts)}`);
  const ttlSeconds = options.ttlSeconds.get(`${resource}.${group}`);
  const rules = strategyOf(group, resource);
  const strategy: Strategy = {
    ...(options.allowPrivileged ? rules : withoutPrivileged(rules, facts)),
    ...(ttlSeconds === undefined ? {} : { ttlSeconds: () => ttlSeconds }),
  };
  const info = { resource: { group, resource }, kind: { group, kind }, namespaced, prefix: unit.storage.prefix };
  const reader = new ResourceReader(info, unit.storage, unit.cacher, {
    watchCache: options.watchCache,
    observer: options.metrics.lists(info.resource),
  });
  const allocator = options.allocators.get(`${resource}.${group}`);
  const guard = options.guards.get(`${resource}.${group}`);
  const store = new ResourceStore({
    info,
    storage: unit.storage,
    reader,
    strategy,
    clock: options.clock,
    random: options.random,
    ...(allocator === undefined ? {} : { allocator }),
    ...(guard === undefined ? {} : { guard }),
  });
  return {
    resource: { group, version, resource },
    equivalents,
    namespaced,
    listKind: facts.listKind ?? `${kind}List`,
    store,
    versions: unit.versions,
    main: objectView(unit.versions, codec, '', undefined, fieldRulesOf(facts, '')),
    subresources: subresourcesOf(facts, unit, codec, options.subresourceHandlers, options.allowPrivileged),
    verbs: new Set(facts.verbs),
    fieldLabels: fieldLabelsOf(strategy, facts),
    printer: async (shown) => {
      const { tablePrinter } = await import('@binnacle/api/printers');
      return tablePrinter(shown);
    },
    plugins: pluginsFor(options.plugins, { group, resource }),
    admissionObserver: options.admissionObserver,
    deprecationWarning: deprecationWarning(facts, kubernetesVersion()),
    clock: options.clock,
    random: options.random,
    minimumWatchSeconds: options.minimumWatchSeconds,
    eventSent: options.metrics.watchEvents({ group, version, resource }),
    initialEventsSent: options.metrics.watchLists({ group, version, resource }),
  };
}
