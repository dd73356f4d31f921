import { type Random, seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import { tablePrinter } from '@binnacle/api/printers';
import { kindSchema } from '@binnacle/api/table';
import { defaultFieldLabels } from '@binnacle/apimachinery/fields';
import { emptyFieldSet } from '@binnacle/apimachinery/managedfields';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { KV } from '@binnacle/kv';
import { openMemoryKV } from '@binnacle/kv/memory';
import { Cacher, type CacherOptions, type Watcher } from '../cacher/index.js';
import { BuiltInCodec, type StorageMediaType, VersionSet } from '../codec/index.js';
import type { ResourceEndpoint, View } from '../endpoints/index.js';
import {
  type Allocator,
  noAdmission,
  ResourceReader,
  ResourceStore,
  type Strategy,
  type WriteScope,
} from '../registry/index.js';
import { ObjectStorage } from '../storage/index.js';

export interface TestResourceOptions {
  readonly strategy?: Strategy;
  readonly allocator?: Allocator;
  readonly cacher?: Partial<CacherOptions>;
  /** Default true. */
  readonly watchCache?: boolean;
  /** Wraps the store, to lose comparisons or to fail. */
  readonly wrapKV?: (kv: KV) => KV;
  /** The encoding of stored objects. Default: JSON. */
  readonly mediaType?: StorageMediaType;
}

export interface TestResource extends AsyncDisposable {
  /** Only the test advances it. */
  readonly clock: VirtualClock;
  readonly random: Random;
  /** The store itself, without the wrapper. */
  readonly kv: KV;
  readonly storage: ObjectStorage;
  readonly cacher: Cacher;
  readonly reader: ResourceReader;
  readonly store: ResourceStore;
  readonly endpoint: ResourceEndpoint;
}

const START = Date.UTC(2026, 0, 2, 3, 4, 5);
const kind = { group: '', version: 'v1', kind: 'ConfigMap' };

/** A store with some methods replaced. */
export function withMethods(kv: KV, methods: Partial<KV>): KV {
  return {
    range: (...parameters) => kv.range(...parameters),
    txn: (...parameters) => kv.txn(...parameters),
    watch: (...parameters) => kv.watch(...parameters),
    compact: (...parameters) => kv.compact(...parameters),
    currentRevision: (...parameters) => kv.currentRevision(...parameters),
    status: (...parameters) => kv.status(...parameters),
    checkHealth: (...parameters) => kv.checkHealth(...parameters),
    close: () => kv.close(),
    [Symbol.asyncDispose]: () => kv.close(),
    ...methods,
  };
}

/** ConfigMaps, as the server serves them, over a new store in memory. */
export function testResource(options: TestResourceOptions = {}): TestResource {
  const clock = new VirtualClock(START);
  const random = seededRandom(1);
  const kv = openMemoryKV({ clock });
  const versions = testVersions(options.mediaType);
  const storage = new ObjectStorage({
    kv: options.wrapKV === undefined ? kv : options.wrapKV(kv),
    codec: versions,
    prefix: '/registry/configmaps/',
  });
  const cacher = new Cacher({ storage, clock, random, ...options.cacher });
  const info = {
    resource: { group: '', resource: 'configmaps' },
    kind: { group: '', kind: 'ConfigMap' },
    namespaced: true,
    prefix: storage.prefix,
  };
  const reader = new ResourceReader(info, storage, cacher, { watchCache: options.watchCache ?? true });
  const { strategy = {}, allocator } = options;
  const store = new ResourceStore({ info, storage, reader, strategy, allocator, clock, random });
  return {
    clock,
    random,
    kv,
    storage,
    cacher,
    reader,
    store,
    endpoint: testEndpoint(store, versions, { clock, random }),
    async [Symbol.asyncDispose]() {
      cacher.stop();
      await kv.close();
    },
  };
}

function testVersions(mediaType: StorageMediaType | undefined): VersionSet {
  const schema = kindSchema(kind);
  if (schema === undefined) throw new Error('no schema for ConfigMap');
  const codec = new BuiltInCodec(kind, schema);
  return new VersionSet({
    storage: codec,
    versions: new Map([[codec.apiVersion, codec]]),
    selectableFields: ({ metadata }) => ({
      'metadata.name': metadata.name ?? '',
      'metadata.namespace': metadata.namespace ?? '',
    }),
    mediaType,
  });
}

function testEndpoint(
  store: ResourceStore,
  versions: VersionSet,
  { clock, random }: Pick<ResourceEndpoint, 'clock' | 'random'>,
): ResourceEndpoint {
  const main: View = {
    subresource: '',
    codec: versions.storage,
    strategy: undefined,
    resetFields: emptyFieldSet,
    isStoredForm: true,
    show: (stored) => stored.decode(),
    present: (object) => object,
    before: (object) => object,
    converting: (work) => versions.converting(work),
    accept: (sent) => sent,
  };
  const endpoint: ResourceEndpoint = {
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    equivalents: () => [endpoint],
    namespaced: true,
    listKind: 'ConfigMapList',
    store,
    versions,
    main,
    subresources: new Map(),
    verbs: new Set(['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']),
    fieldLabels: defaultFieldLabels,
    printer: () => Promise.resolve(tablePrinter(kind)),
    plugins: [],
    deprecationWarning: undefined,
    clock,
    random,
    minimumWatchSeconds: 1800,
  };
  return endpoint;
}

export function configMap(
  name: string,
  parts: { labels?: Record<string, string>; data?: Record<string, string>; finalizers?: string[] } = {},
): KubernetesObject {
  const { labels, data, finalizers } = parts;
  return {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: {
      name,
      ...(labels === undefined ? {} : { labels }),
      ...(finalizers === undefined ? {} : { finalizers }),
    },
    ...(data === undefined ? {} : { data }),
  };
}

export function testScope(overrides: Partial<WriteScope> = {}): WriteScope {
  return {
    namespace: 'default',
    userName: 'tester',
    dryRun: false,
    admission: noAdmission,
    warn: () => undefined,
    ...overrides,
  };
}

/** The events that wait in a watcher, one line each: `ADDED a 5`. */
export function watchedEvents(watcher: Watcher): string[] {
  return Array.from(watcher.take(), ({ type, object }) => `${type} ${object.key.split('/').at(-1)} ${object.revision}`);
}
