import { isIPv6 } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { kubernetesVersion, resolveRuntimeConfig } from '@binnacle/api/table';
import { MetricRegistry } from '@binnacle/apimachinery/metrics';
import {
  CBOR_MEDIA_TYPE,
  JSON_MEDIA_TYPE,
  SERIALIZERS,
  SERIALIZERS_WITH_CBOR,
} from '@binnacle/apimachinery/serializer';
import { KVError, steadyClock } from '@binnacle/kv/interface';
import { respondWithError } from '../answers/index.js';
import {
  clientCertificateAuthenticator,
  inProcessAuthenticator,
  tokenAuthenticator,
  unionAuthenticator,
} from '../authentication/index.js';
import { combineSources, createDiscovery, servedSource } from '../discovery/index.js';
import {
  auditId,
  authentication,
  authorization,
  cacheControl,
  createHandlerChain,
  deadline,
  impersonation,
  requestInfo,
  longRunningLimit,
  trackInFlight,
} from '../filters/index.js';
import {
  healthChangeReporter,
  createHealth,
  type HealthRoot,
  informerSyncCheck,
  logCheck,
  pingCheck,
  shutdownCheck,
  storageReadinessCheck,
  storeCheck,
  storeReadinessCheck,
} from '../health/index.js';
import { createHttpsServer, createInProcessServer, type Filter } from '../http/index.js';
import { observedAuthenticate, observedAuthorizer, readMemory } from '../metrics/index.js';
import { standaloneServerComponents, reviewEndpoints } from '../reviews/index.js';
import { createOpenId, secretTokenAuthenticator, serviceAccountAuthenticator } from '../serviceaccounts/index.js';
import { HistoryRetention } from '../storage/index.js';
import { bootstrapObjects } from './bootstrap-objects.js';
import { lazyOpenApi } from './lazy-open-api.js';
import type { RunningServer, ServerOptions } from './options.js';
import { createResourceApi } from './resource-api.js';
import { createRoutes } from './routes.js';
import { secretTokenUse } from './secret-token-use.js';
import { serverMemory } from './server-memory.js';
import { createServerMetrics } from './server-metrics.js';
import { createCodec } from './storage-unit.js';
import { systemClock } from './system-clock.js';
import { WallClockWatch } from './wall-clock-watch.js';
import { warmCaches } from './warm-caches.js';

/** Upstream: `--etcd-prefix`. */
const STORAGE_PREFIX = '/registry/';
/** No request can be authorized without them. */
const RBAC_RESOURCES = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'];
/** The timeout of an ordinary request. Upstream: `--request-timeout`. */
const REQUEST_TIMEOUT_MS = 60_000;
/** The timeout of a write. Upstream: `requestTimeoutUpperBound`. */
const WRITE_TIMEOUT_MS = 34_000;
/** As long as etcd keeps history under kube-apiserver. Upstream: `--etcd-compaction-interval`. */
const HISTORY_RETENTION_MS = 5 * 60_000;
/** Upstream: `--event-ttl`. */
const EVENT_TTL_SECONDS = 3600;
/** Upstream: `--min-request-timeout`. */
const MIN_REQUEST_TIMEOUT_SECONDS = 1800;
/** How often addresses and ports that a crash has leaked are released. Upstream: `ServiceClusterIPInterval`. */
const REPAIR_INTERVAL_MS = 3 * 60_000;
/**
 * The pause before large caches are built, so that the process that embeds the server runs undisturbed until then.
 */
const WARMING_PAUSE_MS = 2000;
/** How long a shutdown waits for requests in progress. */
const DRAIN_MS = 8000;
const GATEWAY_TIMEOUT = 504;
/** The build part of the server's version. */
const BUILD = 'binnacle';

/** Builds the whole server and listens; resolves when it is ready. If it rejects, it leaves nothing open. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { kv, bindAddress, serviceClusterIpRange } = options;
  const now = options.now ?? Date.now;
  const storagePrefix = options.storagePrefix ?? STORAGE_PREFIX;
  const monotonicNow = options.monotonicNow ?? options.now ?? steadyClock();
  const clock = { ...systemClock, now: monotonicNow };
  const report = options.report ?? reportToStandardError;
  const served = resolveRuntimeConfig(options.runtimeConfig);
  const cbor = options.features?.has('CBORServingAndStorage') === true;
  const serializers = cbor ? SERIALIZERS_WITH_CBOR : SERIALIZERS;
  const registry = new MetricRegistry();
  const { keys, issuers } = options.serviceAccounts;
  const { apiAudiences = issuers } = options.serviceAccounts;
  const api = createResourceApi({
    kv,
    storagePrefix,
    storageMediaType: options.storageMediaType,
    customStorageMediaType: cbor ? CBOR_MEDIA_TYPE : JSON_MEDIA_TYPE,
    served,
    serviceClusterIpRange,
    now,
    eventTtlSeconds: options.eventTtlSeconds ?? EVENT_TTL_SECONDS,
    watchCache: options.watchCache ?? true,
    minRequestTimeoutSeconds: options.minRequestTimeoutSeconds ?? MIN_REQUEST_TIMEOUT_SECONDS,
    admission: options,
    tokens: {
      keys,
      issuer: issuers[0],
      apiAudiences,
      maximumSeconds: options.serviceAccounts.maximumTokenSeconds ?? 0,
      extendsExpiration: options.serviceAccounts.extendsTokenExpiration ?? true,
    },
    metrics: registry,
    faults: options.faults,
    report,
  });
  const { extensions } = api;
  const metrics = createServerMetrics({ registry, api, kv, served, build: BUILD, now: monotonicNow });

  const authenticate = unionAuthenticator({
    authenticators: [
      inProcessAuthenticator,
      clientCertificateAuthenticator(now),
      tokenAuthenticator(options.tokens),
      secretTokenAuthenticator({
        apiAudiences,
        keys,
        subjects: api.sources,
        looksUp: options.serviceAccounts.looksUpSecrets ?? true,
        used: secretTokenUse({ secrets: () => api.catalog.find('', 'secrets'), now, report }),
      }),
      serviceAccountAuthenticator({ issuers, apiAudiences, keys, subjects: api.sources, now }),
    ],
    anonymous: true,
  });
  const { authorizer } = api;
  const inFlight = trackInFlight();
  const memory = serverMemory(options.maxMemoryBytes, api);
  readMemory(registry, memory.ceiling);
  // Outermost first: every request passes in this order.
  const filters: readonly Filter[] = [
    auditId,
    cacheControl,
    requestInfo,
    inFlight.filter,
    deadline({
      clock,
      maximum: REQUEST_TIMEOUT_MS,
      writes: { maximum: WRITE_TIMEOUT_MS, writeError: respondWithError },
      onExpired: (context) => metrics.requests.terminated(context, GATEWAY_TIMEOUT),
    }),
    authentication(observedAuthenticate(authenticate, registry)),
    longRunningLimit(),
    impersonation(authorizer),
    memory.ceiling.filter,
    authorization(observedAuthorizer(authorizer, registry)),
    metrics.requests.filter,
    ...(options.faults === undefined ? [] : [options.faults.filter(clock)]),
  ];
  const reviews = reviewEndpoints({
    resources: served.resources,
    authorizer,
    roleSource: api.sources,
    authenticate,
    apiAudiences,
    codecOf: createCodec,
    kindExists: api.kindExists,
    pods: () => api.catalog.find('', 'pods'),
    components: standaloneServerComponents(() => kv.currentRevision()),
    now,
  });
  for (const review of reviews) api.router.addNonStored(review);

  const draining = new AbortController();
  const healthChanged = healthChangeReporter(report);
  const observeHealth = (root: HealthRoot, name: string, failure: Error | undefined): void => {
    metrics.healthResult(root, name, failure);
    healthChanged(root, name, failure);
  };
  const health = createHealth(
    [
      pingCheck,
      logCheck(() => process.stderr.writableNeedDrain),
      storeCheck((signal) => kv.checkHealth(signal), isFull),
      storeReadinessCheck((signal) => kv.checkHealth(signal)),
      informerSyncCheck(() => api.sources.unknown()),
      storageReadinessCheck(() => api.catalog.unreadyCaches()),
      shutdownCheck(draining.signal),
    ],
    { onResult: observeHealth },
  );
  const address = { port: options.securePort };
  const serverAddress = (): string => `${isIPv6(bindAddress) ? `[${bindAddress}]` : bindAddress}:${address.port}`;
  const jwksUri = (): string => options.serviceAccounts.jwksUri ?? `https://${serverAddress()}/openid/v1/jwks`;
  const openId = createOpenId({ issuer: issuers[0], jwksUri, keys });
  const discovery = createDiscovery({
    source: combineSources([servedSource(served), ...(extensions === undefined ? [] : [extensions.discovery])]),
    serverAddress,
    build: BUILD,
    serializers,
    otherPaths: () => [...health.paths, ...metrics.endpoint.paths, ...openId.paths, '/openapi/v2', '/openapi/v3'],
  });
  const openApi = lazyOpenApi({
    served,
    serializers,
    custom: extensions === undefined ? undefined : () => extensions.openApi(),
    version: `v${kubernetesVersion()}.0`,
    now,
  });
  const handler = createHandlerChain({
    filters,
    handler: createRoutes({
      router: api.router,
      serializers,
      extensions,
      discovery,
      health,
      metrics: metrics.endpoint,
      openId,
      openApi,
      faults: options.faults,
    }),
    now: monotonicNow,
    report: (error, context) => report(error, context.path),
    writeError: respondWithError,
  });
  const https = createHttpsServer({ tls: options.tls, handler, limits: { maxUnsentBytes: memory.maxUnsentBytes } });
  const inProcess = createInProcessServer(handler);
  let stopBackground = (): void => undefined;
  const stopAll = async (delayMs: number, drainMs: number): Promise<void> => {
    draining.abort();
    if (delayMs > 0) await pause(delayMs);
    stopBackground();
    inFlight.abortLongRunning(new Error('the server is shutting down'));
    await Promise.all([https.close({ drainMs }), inProcess.close({ drainMs })]);
    extensions?.stop();
    api.catalog.stop();
    memory[Symbol.dispose]();
  };

  address.port = (await https.listen(bindAddress, options.securePort)).port;
  try {
    await extensions?.start();
    await bootstrapObjects(api, {
      bindAddress,
      port: address.port,
      serviceClusterIpRange,
      clientCertificateAuthorities: options.tls.clientCertificateAuthorities,
      now,
    }).catch((error: unknown) => {
      // Earlier starts have stored these objects in a full store; reads and deletions must keep working.
      if (!isFull(error)) throw error;
      report(messageOf(error), 'bootstrap');
    });
    // A damaged store does not recover while a cache waits for it, so fail the start with its error.
    for (const name of RBAC_RESOURCES) await kv.range({ prefix: `${storagePrefix}${name}/` });
    await api.sources.ready();
  } catch (error) {
    await stopAll(0, 0);
    throw error;
  }
  const retention = new HistoryRetention({
    kv,
    retentionMs: options.historyRetentionMs ?? HISTORY_RETENTION_MS,
    now: monotonicNow,
    report: (error) => report(error, 'history retention'),
  });

  const wallClock = new WallClockWatch({ wall: now, steady: monotonicNow, report: (text) => report(text, 'clock') });
  const warming = setTimeout(() => {
    if (kv.openReader === undefined) return;
    warmCaches(api.catalog.units.values(), draining.signal).catch((error: unknown) => {
      if (!draining.signal.aborted) report(error, 'caches');
    });
  }, WARMING_PAUSE_MS);
  warming.unref();
  const repair = setInterval(() => {
    api.services.repair().catch((error: unknown) => report(error, 'repair of service addresses'));
  }, REPAIR_INTERVAL_MS);
  repair.unref();
  stopBackground = () => {
    retention[Symbol.dispose]();
    wallClock[Symbol.dispose]();
    clearInterval(repair);
    clearTimeout(warming);
  };

  let stopped: Promise<void> | undefined;
  return {
    port: address.port,
    send: async (request, signal) => inProcess.send(request, signal),
    stop: () => (stopped ??= stopAll(options.shutdownDelayMs ?? 0, DRAIN_MS)),
  };
}

function isFull(failure: unknown): boolean {
  if (failure instanceof KVError) return failure.code === 'full';
  return failure instanceof Error && isFull(failure.cause);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function reportToStandardError(error: unknown, path: string): void {
  process.stderr.write(`${path}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}
