import { type Random, seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import { kindSchema, resourceFacts } from '@binnacle/api/table';
import type { Service, ServiceSpec } from '@binnacle/api/types/core-v1';
import { emptyFieldSet } from '@binnacle/apimachinery/managedfields';
import {
  formatGroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  type KubernetesObject,
} from '@binnacle/apimachinery/meta';
import { notFound } from '@binnacle/apimachinery/status';
import type { KV } from '@binnacle/kv';
import { openMemoryKV } from '@binnacle/kv/memory';
import type { OwnResource } from '../bootstrap/index.js';
import { Cacher } from '../cacher/index.js';
import { BuiltInCodec, type KindCodec, VersionSet } from '../codec/index.js';
import {
  type Allocator,
  noAdmission,
  ResourceReader,
  ResourceStore,
  Stores,
  type WriteScope,
} from '../registry/index.js';
import { strategyOf } from '../resources/index.js';
import { ObjectStorage } from '../storage/index.js';
import type { AllocationObserver } from './allocation-observer.js';
import { type ServiceAllocator, serviceAllocator } from './service-allocator.js';

const NOW = Date.UTC(2026, 0, 1);

export interface TestClusterOptions {
  readonly kv?: KV;
  readonly clusterIpRanges?: string;
  readonly nodePortRange?: string;
  /** Default: a seed of its own. */
  readonly random?: Random;
}

/** The services and the allocator of one server. Several test clusters may share one in-memory store. */
export class TestCluster {
  readonly kv: KV;
  readonly allocator: ServiceAllocator;
  readonly services: OwnResource;
  readonly ipAddresses: OwnResource;
  readonly serviceCidrs: OwnResource;
  /** What the observer of the allocator was told, without durations. */
  readonly told: string[] = [];
  readonly #observer: AllocationObserver = {
    addressClaimed: (cidr, scope) => this.told.push(`${scope} address of ${cidr}`),
    addressRefused: (cidr, scope) => this.told.push(`no ${scope} address of ${cidr}`),
    portClaimed: (scope) => this.told.push(`${scope} port`),
    portRefused: (scope) => this.told.push(`no ${scope} port`),
  };

  constructor(options: TestClusterOptions = {}) {
    this.kv = options.kv ?? openMemoryKV();
    this.ipAddresses = testEndpoint(this.kv, { group: 'networking.k8s.io', version: 'v1', resource: 'ipaddresses' });
    this.serviceCidrs = testEndpoint(this.kv, { group: 'networking.k8s.io', version: 'v1', resource: 'servicecidrs' });
    this.allocator = serviceAllocator({
      clusterIpRanges: options.clusterIpRanges ?? '10.0.0.0/24',
      nodePortRange: options.nodePortRange ?? '30000-32767',
      kv: this.kv,
      storagePrefix: '/registry/',
      storageMediaType: 'application/json',
      rangeAllocationCodec: testCodec({ group: '', version: 'v1', kind: 'RangeAllocation' }),
      stores: new Stores(({ resource }) => this.#served(resource)?.store),
      ipAddresses: () => this.ipAddresses,
      random: options.random ?? seededRandom(1),
      observer: this.#observer,
    });
    this.services = testEndpoint(this.kv, { group: '', version: 'v1', resource: 'services' }, this.allocator);
  }

  async create(name: string, spec: ServiceSpec, dryRun = false): Promise<Service> {
    const object: KubernetesObject = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace: 'default' },
      spec,
    };
    this.services.main.codec.applyDefaults(object);
    return (await this.services.store.create(scope(dryRun), object)).decode();
  }

  async update(name: string, change: (spec: ServiceSpec) => void, dryRun = false): Promise<Service> {
    const transform = (current: KubernetesObject | undefined): KubernetesObject => {
      if (current === undefined) throw notFound({ group: '', resource: 'services' }, name);
      const { spec = {} } = current as Service;
      change(spec);
      this.services.main.codec.applyDefaults(current);
      return current;
    };
    return (await this.services.store.update(scope(dryRun), { name, transform })).stored.decode();
  }

  async remove(name: string): Promise<void> {
    await this.services.store.delete(scope(false), name, {});
  }

  /** The claimed addresses. */
  async claimedIps(): Promise<string[]> {
    const page = await this.ipAddresses.store.reader.list({ namespace: '' });
    return page.items.map((item) => item.decode().metadata.name ?? '');
  }

  /** Resolves when all caches are initialized. */
  async ready(): Promise<void> {
    await Promise.all(this.#cachers().map((cacher) => cacher.ready()));
  }

  stop(): void {
    for (const cacher of this.#cachers()) cacher.stop();
  }

  #served(resource: string): OwnResource | undefined {
    const { services, ipAddresses: ipaddresses, serviceCidrs: servicecidrs } = this;
    return new Map(Object.entries({ services, ipaddresses, servicecidrs })).get(resource);
  }

  #cachers(): Cacher[] {
    return [this.services, this.ipAddresses, this.serviceCidrs].map(({ store }) => store.reader.cacher);
  }
}

export function testCodec(kind: GroupVersionKind): KindCodec {
  const schema = kindSchema(kind);
  if (schema === undefined) throw new Error(`no schema for ${kind.kind}`);
  return new BuiltInCodec(kind, schema);
}

function scope(dryRun: boolean): WriteScope {
  return { namespace: 'default', userName: 'test', dryRun, admission: noAdmission, warn: () => undefined };
}

function testEndpoint(kv: KV, resource: GroupVersionResource, allocator?: Allocator): OwnResource {
  const facts = resourceFacts(resource);
  if (facts === undefined) throw new Error(`no facts for ${resource.resource}`);
  const { group, version, kind, namespaced } = facts;
  const codec = testCodec({ group, version, kind });
  const versionsByName = new Map([[formatGroupVersion(facts), codec]]);
  const versions = new VersionSet({ storage: codec, versions: versionsByName, selectableFields: () => ({}) });
  const storage = new ObjectStorage({ kv, codec: versions, prefix: `/registry/${facts.etcdPrefix ?? ''}/` });
  const info = {
    resource: { group, resource: facts.resource },
    kind: { group, kind },
    namespaced,
    prefix: storage.prefix,
  };
  const clock = new VirtualClock(NOW);
  const random = seededRandom(1);
  const reader = new ResourceReader(info, storage, new Cacher({ storage, clock, random }));
  const extra = allocator === undefined ? {} : { allocator };
  const store = new ResourceStore({
    info,
    storage,
    reader,
    strategy: allocator === undefined ? {} : strategyOf(group, facts.resource),
    clock,
    random,
    ...extra,
  });
  return { store, clock, main: { codec, resetFields: emptyFieldSet, accept: (sent) => sent } };
}
