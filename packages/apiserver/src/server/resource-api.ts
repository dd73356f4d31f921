import { definitionOfKind, type ResourceFacts, resourceOfKind, type ServedSet } from '@binnacle/api/table';
import type { Clock, Random } from '@binnacle/apimachinery/clock';
import type { GroupResource, GroupVersionKind } from '@binnacle/apimachinery/meta';
import type { MetricRegistry } from '@binnacle/apimachinery/metrics';
import { JSON_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import type { KV } from '@binnacle/kv';
import { type ServiceAllocator, serviceAllocator } from '../allocators/index.js';
import { ApiExtensions, type ApiExtensionsOptions } from '../apiextensions/index.js';
import { type Authorizer, privilegedGroupAuthorizer, unionAuthorizer } from '../authorization/index.js';
import { createCodec, type DocumentMediaType, type StorageMediaType } from '../codec/index.js';
import type { Encryption } from '../encryption/index.js';
import type { Faults } from '../faults/index.js';
import { type FindEndpoint, type KindLookup, type ResourceEndpoint, ResourceRouter } from '../endpoints/index.js';
import { admissionSteps, AuthorizationMetrics, observedPlugins, ResourceMetrics } from '../metrics/index.js';
import { IP_ADDRESSES, Stores } from '../registry/index.js';
import { type TokenIssuingOptions, tokenRequestHandler } from '../reviews/index.js';
import { loadDefinitionRules } from '../resources/index.js';
import { configuredAuthorizer, DEFAULT_AUTHORIZERS } from './access/configured-authorizer.js';
import type { AuthorizationOptions } from './options.js';
import { RemoteServices } from './remote-services.js';
import { type AdmissionOptions, createPlugins } from './plugins/create-plugins.js';
import { serverWebhooks } from './server-webhooks.js';
import type { AdmissionObserver, AdmissionPlugin, Retries } from '../admission/index.js';
import { type ConnectHandlers, connectHandlers } from '../connect/index.js';
import type { Egress } from '../egress/index.js';
import type { UserHeaders } from '../proxying/index.js';
import { DamageLog } from '../storage/index.js';
import { Catalog } from './catalog/catalog.js';
import { createGuards } from './guards/create-guards.js';
import { defaultKubelets, type KubeletOptions } from './kubelet-options.js';
import { podHandlers } from './catalog/pod-handlers.js';
import type { SubresourceHandlers } from './catalog/subresources.js';
import { type FindKind, type StoredSources, storedSources } from './sources/index.js';

/** Upstream: `--service-node-port-range`. */
const NODE_PORT_RANGE = '30000-32767';

export interface ResourceApiOptions {
  readonly kv: KV;
  /** Encrypts stored values. Default: they are stored as they are. */
  readonly encryption?: Pick<Encryption, 'storeOf'> | undefined;
  /** The prefix of every key: `/registry/`. */
  readonly storagePrefix: string;
  /** The encoding of stored objects. Default: JSON. */
  readonly storageMediaType?: StorageMediaType | undefined;
  /** The encoding of stored custom resources. Default: JSON. */
  readonly customStorageMediaType?: DocumentMediaType;
  readonly served: ServedSet;
  readonly serviceClusterIpRange: string;
  readonly clock: Clock;
  readonly random: Random;
  /** 0 = events do not expire. */
  readonly eventTtlSeconds: number;
  /** Whether reads use the caches. */
  readonly watchCache: boolean;
  /** Whether pods may have privileged containers. Default: true. */
  readonly allowPrivileged?: boolean | undefined;
  /** 0 = watches have no timeout by default. */
  readonly minRequestTimeoutSeconds: number;
  readonly admission?: AdmissionOptions;
  /** The pauses and the random source of admission retries. Default: those of the server. */
  readonly retries?: Retries;
  /** How service account tokens are issued; absent: they are not. */
  readonly tokens?: TokenIssuingOptions;
  /** The addresses that the server may call. */
  readonly egress: Egress;
  /** How to find and trust kubelets. Default: upstream's, without a client certificate. */
  readonly kubelets?: KubeletOptions | undefined;
  /** The headers in which front proxies name users. Default: none. */
  readonly userHeaders?: UserHeaders | undefined;
  /** Decides about rights instead of the stored roles. */
  readonly delegation?: Authorizer | undefined;
  /** The authorizers, and the policies of ABAC. Default: Node and RBAC. */
  readonly authorization?: AuthorizationOptions | undefined;
  /** Opens the services that authorizers ask. Default: there are none. */
  readonly services?: RemoteServices | undefined;
  /** Whether services are called at their endpoints. Default: true. */
  readonly aggregatorRouting?: boolean | undefined;
  readonly metrics: MetricRegistry;
  readonly faults?: Faults | undefined;
  /** Receives failures of background work. */
  readonly report?: (error: unknown, what: string) => void;
}

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
  readonly services: ServiceAllocator;
  readonly authorizer: Authorizer;
  /** Of resources that are not stored; stored ones have them in their endpoints. */
  readonly plugins: readonly AdmissionPlugin[];
  readonly admissionObserver: AdmissionObserver;
  /** Whether this release has the kind, served or not. */
  readonly kindExists: (kind: GroupVersionKind) => boolean;
  /** The endpoint that stores objects of a kind: its own version if served, otherwise another one. */
  readonly endpointOf: (kind: GroupVersionKind) => ResourceEndpoint | undefined;
  /** Ends custom resources and caches. */
  stop(): void;
}

/** The parts that built-in and custom resources have in common. */
type SharedParts = Omit<ApiExtensionsOptions, 'storageMediaType' | 'definitions' | 'loadRules' | 'report'>;

const kindExists = (kind: GroupVersionKind): boolean => definitionOfKind(kind) !== undefined;

export function createResourceApi(options: ResourceApiOptions): ResourceApi {
  const { kv, storagePrefix, clock, random, faults, metrics, services: remote = new RemoteServices(options) } = options;
  const find: FindEndpoint = (group, resource) => catalog.find(group, resource);
  const stores = new Stores(({ group, resource }) => find(group, resource)?.store);
  const sources = storedSources(stores);
  const services = createServices(options, stores, find);
  const authorizer = createAuthorizer(options, sources, remote);
  const endpointOf = builtInFinder(find, () => router);
  const findKind = kindFinder(() => ({ router, extensions }));
  const damage = new DamageLog((message) => options.report?.(message, 'storage'));
  const webhooks = serverWebhooks(options, stores);
  const shared = {
    kv,
    webhooks: webhooks.conversion,
    storeOf: storeOf(options),
    storagePrefix,
    clock,
    random,
    plugins: observedPlugins(
      createPlugins(options, { sources, authorizer, find, findKind, endpointOf, webhooks, stores, services: remote }),
      metrics,
      clock,
    ),
    admissionObserver: admissionSteps(metrics, clock),
    metrics: new ResourceMetrics(metrics, clock, (keys) => damage.found(keys)),
    watchCache: options.watchCache,
    minimumWatchSeconds: options.minRequestTimeoutSeconds || Number.POSITIVE_INFINITY,
    feedGate: faults === undefined ? undefined : (resource: GroupResource) => faults.feedGate(resource),
  };
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
  const parts = { catalog, extensions, stores, sources, services, authorizer, plugins, admissionObserver };
  return { router, ...parts, kindExists, endpointOf, stop };
}

function storeOf({ encryption }: ResourceApiOptions): SharedParts['storeOf'] {
  return encryption && ((resource, kv) => encryption.storeOf(resource, kv));
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
  services: RemoteServices,
): Authorizer {
  const { delegation, authorization = {}, clock } = options;
  const { authorizers = () => DEFAULT_AUTHORIZERS, policies = [] } = authorization;
  const metrics = new AuthorizationMetrics(options.metrics);
  const parts = { roles, nodes, policies, services, clock, metrics };
  const deciding = delegation ?? configuredAuthorizer(authorizers, parts);
  return unionAuthorizer([privilegedGroupAuthorizer(), deciding]);
}

/** Finds the endpoint that stores objects of a built-in kind, in any version if its own is not served. */
function builtInFinder(find: FindEndpoint, router: () => ResourceRouter): ResourceApi['endpointOf'] {
  return (kind) => {
    const facts: ResourceFacts | undefined = resourceOfKind(kind);
    if (facts === undefined) return undefined;
    return router().endpoint(facts.group, facts.version, facts.resource) ?? find(facts.group, facts.resource);
  };
}

/** Finds the endpoint of a kind in exactly its version, built-in or custom. */
function kindFinder(parts: () => Pick<ResourceApi, 'router' | 'extensions'>): FindKind {
  return (kind) => {
    const facts = resourceOfKind(kind);
    if (facts === undefined) return parts().extensions?.findKind(kind);
    return parts().router.endpoint(facts.group, facts.version, facts.resource);
  };
}

function createServices(options: ResourceApiOptions, stores: Stores, find: FindEndpoint): ServiceAllocator {
  return serviceAllocator({
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
  });
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
