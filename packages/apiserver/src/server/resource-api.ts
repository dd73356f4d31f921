import { definitionOfKind } from '@binnacle/api/table';
import type { GroupVersionKind } from '@binnacle/apimachinery/meta';
import { JSON_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import type { AdmissionObserver, AdmissionPlugin } from '../admission/index.js';
import { type ServiceAllocator, serviceAllocator } from '../allocators/index.js';
import { ApiExtensions, type ApiExtensionsOptions } from '../apiextensions/index.js';
import { type Authorizer, privilegedGroupAuthorizer, unionAuthorizer } from '../authorization/index.js';
import { createCodec } from '../codec/index.js';
import { type ConnectHandlers, connectHandlers } from '../connect/index.js';
import { type FindEndpoint, type KindLookup, type ResourceEndpoint, ResourceRouter } from '../endpoints/index.js';
import {
  admissionSteps,
  allocationMetrics,
  AuthorizationMetrics,
  observedPlugins,
  readAllocations,
  ResourceMetrics,
} from '../metrics/index.js';
import { IP_ADDRESSES, Stores } from '../registry/index.js';
import { loadDefinitionRules } from '../resources/index.js';
import { type TokenIssuingOptions, tokenRequestHandler } from '../reviews/index.js';
import { DamageLog } from '../storage/index.js';
import { configuredAuthorizer, DEFAULT_AUTHORIZERS } from './access/configured-authorizer.js';
import { Catalog } from './catalog/catalog.js';
import { podHandlers } from './catalog/pod-handlers.js';
import type { SubresourceHandlers } from './catalog/subresources.js';
import { builtInFinder, kindFinder } from './endpoint-finders.js';
import { createGuards } from './guards/create-guards.js';
import { defaultKubelets } from './kubelet-options.js';
import { createPlugins, type PluginParts } from './plugins/create-plugins.js';
import { RemoteServices } from './remote-services.js';
import type { ResourceApiOptions } from './resource-api-options.js';
import { serverWebhooks } from './server-webhooks.js';
import { type StoredSources, storedSources } from './sources/index.js';

/** Upstream: `--service-node-port-range`. */
const NODE_PORT_RANGE = '30000-32767';

/**
 * Everything behind resource paths: endpoints, admission and guards, and the objects that the server itself reads.
 */
export interface ResourceApi {
  readonly router: ResourceRouter;
  readonly catalog: Catalog;
  /** Custom resources; undefined when definitions are not served. */
  readonly extensions: ApiExtensions | undefined;
  readonly stores: Stores;
  readonly sources: StoredSources;
  readonly serviceAllocator: ServiceAllocator;
  readonly authorizer: Authorizer;
  /** The admission plugins, for paths without stored objects. The endpoints of stored resources have them already. */
  readonly plugins: readonly AdmissionPlugin[];
  readonly admissionObserver: AdmissionObserver;
  /** Whether this release has the kind, served or not. */
  readonly kindExists: (kind: GroupVersionKind) => boolean;
  /** The endpoint that stores objects of a kind: its own version if served, otherwise another one. */
  readonly endpointOf: (kind: GroupVersionKind) => ResourceEndpoint | undefined;
  /** Stops custom resources and caches, and closes the connections to webhooks and kubelets. */
  stop(): void;
}

/** The parts that built-in and custom resources have in common. */
type SharedParts = Omit<ApiExtensionsOptions, 'storageMediaType' | 'definitions' | 'loadRules' | 'report'> & {
  readonly admissionObserver: AdmissionObserver;
};

const kindExists = (kind: GroupVersionKind): boolean => definitionOfKind(kind) !== undefined;

export function createResourceApi(options: ResourceApiOptions): ResourceApi {
  const { clock, remoteServices = new RemoteServices(options) } = options;
  const find: FindEndpoint = (group, resource) => catalog.find(group, resource);
  const stores = new Stores(({ group, resource }) => find(group, resource)?.store);
  const sources = storedSources(stores);
  const services = createServiceAllocator(options, stores, find);
  const authorizer = createAuthorizer(options, sources, remoteServices);
  const endpointOf = builtInFinder(find, () => router);
  const findKind = kindFinder(() => ({ router, extensions }));
  const webhooks = serverWebhooks(options, stores);
  const parts = { sources, authorizer, find, findKind, endpointOf, webhooks, stores, remoteServices };
  const shared = createSharedParts(options, parts);
  const connect = createConnect(options, stores);
  const catalog = new Catalog({
    ...shared,
    served: options.served,
    storageMediaType: options.storageMediaType ?? JSON_MEDIA_TYPE,
    allocators: new Map([['services.', services]]),
    guards: createGuards({
      authorizer,
      roles: sources.roles,
      findKind,
      stores,
      clock,
      unreadableDefinitions: () => extensions?.unreadableDefinitions() ?? [],
    }),
    subresourceHandlers: subresourceHandlersOf(options, stores, connect),
    ttlSeconds: ttlSecondsOf(options.eventTtlSeconds),
    allowPrivileged: options.allowPrivileged ?? true,
  });
  const extensions = createExtensions(options, shared, find);
  const router = new ResourceRouter(kindExists);
  for (const endpoint of catalog.endpoints) router.add(endpoint);
  const stop = (): void => {
    extensions?.stop();
    catalog.stop();
    webhooks.close();
    connect.close();
  };
  const { plugins, admissionObserver } = shared;
  const served = { router, catalog, extensions, kindExists, endpointOf };
  return { ...served, stores, sources, serviceAllocator: services, authorizer, plugins, admissionObserver, stop };
}

function createSharedParts(options: ResourceApiOptions, parts: PluginParts): SharedParts {
  const { kv, storagePrefix, clock, random, faults, metrics, encryption } = options;
  const damage = new DamageLog((message) => options.report?.(message, 'storage'));
  return {
    kv,
    webhooks: parts.webhooks.conversion,
    storeOf: encryption && ((resource, store) => encryption.storeOf(resource, store)),
    storagePrefix,
    clock,
    random,
    plugins: observedPlugins(createPlugins(options, parts), metrics, clock),
    admissionObserver: admissionSteps(metrics, clock),
    metrics: new ResourceMetrics(metrics, clock, (keys) => damage.found(keys)),
    watchCache: options.watchCache,
    minimumWatchSeconds: options.minRequestTimeoutSeconds || Number.POSITIVE_INFINITY,
    feedGate: faults === undefined ? undefined : (resource) => faults.feedGate(resource),
  };
}

/** The subresources of the table that are not views of the object. */
function subresourceHandlersOf(
  { tokens }: ResourceApiOptions,
  stores: Stores,
  connect: ConnectHandlers,
): SubresourceHandlers {
  return new Map([
    ...podHandlers(kindExists, stores),
    ...connect.handlers,
    ...(tokens === undefined ? [] : [tokenHandler(tokens, kindExists, stores)]),
  ]);
}

/** Leads to kubelets, pods and the endpoints of services. */
function createConnect(options: ResourceApiOptions, stores: Stores): ConnectHandlers {
  const { egress, kubelets = defaultKubelets, userHeaders = { names: [], prefixes: [] }, clock, random } = options;
  return connectHandlers({ stores, egress, kubelets, userHeaders, clock, random: random.fork() });
}

/** Without a delegation, the configured authorizers decide. */
function createAuthorizer(
  options: ResourceApiOptions,
  { roles, nodes }: StoredSources,
  remoteServices: RemoteServices,
): Authorizer {
  const { delegation, authorization = {}, clock } = options;
  const { authorizers = () => DEFAULT_AUTHORIZERS, policies = [] } = authorization;
  const metrics = new AuthorizationMetrics(options.metrics);
  const parts = { roles, nodes, policies, remoteServices, clock, metrics };
  const deciding = delegation ?? configuredAuthorizer(authorizers, parts);
  return unionAuthorizer([privilegedGroupAuthorizer(), deciding]);
}

function createServiceAllocator(options: ResourceApiOptions, stores: Stores, find: FindEndpoint): ServiceAllocator {
  const services = serviceAllocator({
    clusterIpRanges: options.serviceClusterIpRange,
    nodePortRange: NODE_PORT_RANGE,
    // Upstream encrypts no allocation either: it has no API through which it could be migrated.
    kv: options.kv,
    storagePrefix: options.storagePrefix,
    storageMediaType: options.storageMediaType ?? JSON_MEDIA_TYPE,
    rangeAllocationCodec: createCodec({ group: '', version: 'v1', kind: 'RangeAllocation' }),
    stores,
    ipAddresses: () => find(IP_ADDRESSES.group, IP_ADDRESSES.resource),
    // With a seed, the addresses do not depend on what other requests draw.
    random: options.random.fork(),
    observer: allocationMetrics(options.metrics),
  });
  readAllocations(options.metrics, () => services.usage);
  return services;
}

/** Custom resources; undefined when definitions are not served. */
function createExtensions(
  options: ResourceApiOptions,
  shared: SharedParts,
  find: FindEndpoint,
): ApiExtensions | undefined {
  const definitions = find('apiextensions.k8s.io', 'customresourcedefinitions');
  if (definitions === undefined) return undefined;
  return new ApiExtensions({
    ...shared,
    storageMediaType: options.customStorageMediaType ?? JSON_MEDIA_TYPE,
    definitions,
    loadRules: async () => (await loadDefinitionRules()).compiler,
    report: (error) => options.report?.(error, 'custom resources'),
  });
}

function tokenHandler(tokens: TokenIssuingOptions, kindExists: KindLookup, stores: Stores) {
  const codec = createCodec({ group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' });
  return ['serviceaccounts/token', tokenRequestHandler({ ...tokens, codec, kindExists, stores })] as const;
}

/** The resources that expire, and when. Upstream: `pkg/registry/core/event`. */
function ttlSecondsOf(eventTtlSeconds: number): ReadonlyMap<string, number> {
  if (eventTtlSeconds === 0) return new Map();
  return new Map(['events.', 'events.events.k8s.io'].map((resource) => [resource, eventTtlSeconds]));
}
