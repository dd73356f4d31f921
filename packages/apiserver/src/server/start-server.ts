import { kubernetesVersion, resolveRuntimeConfig, resourceOfKind } from '@binnacle/api/table';
import type { GroupVersionKind } from '@binnacle/apimachinery/meta';
import {
  type AdmissionPlugin,
  defaultTolerationSeconds,
  namespaceLifecycle,
  priority,
  serviceAccount,
  storageObjectInUseProtection,
  taintNodesByCondition,
} from '../admission/index.js';
import { clientCertificateAuthenticator, tokenAuthenticator, unionAuthenticator } from '../authentication/index.js';
import { bootstrapRbac, privilegedGroupAuthorizer, rbacAuthorizer, unionAuthorizer } from '../authorization/index.js';
import { ensureObjects, kubernetesEndpoints, kubernetesService, systemNamespaces, systemPriorityClasses } from '../bootstrap/index.js';
import { ResourceRouter } from '../endpoints/index.js';
import {
  auditId,
  authentication,
  authorization,
  cacheControl,
  createHandlerChain,
  deadline,
  requestInfo,
  trackInFlight,
} from '../filters/index.js';
import {
  createHealth,
  informerSyncCheck,
  logCheck,
  pingCheck,
  shutdownCheck,
  storeCheck,
} from '../health/index.js';
import { createDiscovery, servedSource } from '../discovery/index.js';
import { createHttpsServer, type Filter } from '../http/index.js';
import { HistoryRetention } from '../storage/index.js';
import { advertiseAddress } from './advertise-address.js';
import { Catalog } from './catalog.js';
import { lazyOpenApi } from './lazy-open-api.js';
import { createRoutes } from './routes.js';
import type { RunningServer, ServerOptions } from './options.js';
import { StoredSources } from './sources.js';
import { systemClock } from './system-clock.js';
import { podHandlers } from './pod-handlers.js';

/** The longest that an ordinary request may take. Upstream: `--request-timeout`. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Upstream: `--min-request-timeout`. */
const MINIMUM_WATCH_SECONDS = 1800;
/** History stays readable as long as etcd's does under kube-apiserver. Upstream: `--etcd-compaction-interval`. */
const HISTORY_RETENTION_MS = 5 * 60_000;
/** How long a shutdown waits for requests that are under way. */
const DRAIN_MS = 10_000;

/** Builds the whole server and starts to listen; resolves when it is ready for requests. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const now = options.now ?? Date.now;
  const report = options.report ?? reportToStandardError;
  const served = resolveRuntimeConfig(options.runtimeConfig);

  const kindExists = (kind: GroupVersionKind) => resourceOfKind(kind) !== undefined;
  const sources: StoredSources = new StoredSources((group, resource) => catalog.find(group, resource));
  const plugins: readonly AdmissionPlugin[] = [
    namespaceLifecycle(sources),
    taintNodesByCondition,
    serviceAccount(sources),
    priority(sources),
    defaultTolerationSeconds,
    storageObjectInUseProtection,
  ];
  const catalog: Catalog = new Catalog({
    kv: options.kv,
    served,
    now,
    plugins,
    allocators: new Map(),
    subresourceHandlers: podHandlers(kindExists, (group, resource) => catalog.find(group, resource)),
    minimumWatchSeconds: MINIMUM_WATCH_SECONDS,
  });
  const router = new ResourceRouter(kindExists);
  for (const endpoint of catalog.endpoints) router.add(endpoint);

  const inFlight = trackInFlight();
  const authenticate = unionAuthenticator({
    authenticators: [clientCertificateAuthenticator, tokenAuthenticator(options.tokens)],
    anonymous: true,
  });
  const authorizer = unionAuthorizer([privilegedGroupAuthorizer(), rbacAuthorizer(sources)]);
  // Outermost first: the one order in which every request passes.
  const filters: readonly Filter[] = [
    auditId,
    cacheControl,
    requestInfo,
    inFlight.filter,
    deadline({ clock: systemClock, maximum: REQUEST_TIMEOUT_MS }),
    authentication(authenticate),
    authorization(authorizer),
  ];
  const draining = new AbortController();
  const health = createHealth([
    pingCheck,
    logCheck(() => process.stderr.writableNeedDrain),
    storeCheck((signal) => options.kv.currentRevision(signal)),
    informerSyncCheck(() => (sources.isReady ? [] : ['rbac'])),
    shutdownCheck(draining.signal),
  ]);
  const address = { port: options.securePort };
  const source = servedSource(served);
  const discovery = createDiscovery({
    source,
    serverAddress: () => `${options.bindAddress}:${address.port}`,
    build: 'binnacle',
    otherPaths: () => [...health.paths, '/openapi/v2', '/openapi/v3'],
  });
  const handler = createRoutes({ router, discovery, health, openApi: lazyOpenApi(served, `v${kubernetesVersion()}.0`, now) });
  const https = createHttpsServer({
    tls: options.tls,
    handler: createHandlerChain({
      filters,
      handler,
      now,
      report: (error, context) => report(error, context.path),
    }),
  });
  const { port } = await https.listen(options.bindAddress, options.securePort);
  address.port = port;

  const endpointOf = (kind: GroupVersionKind) => {
    const facts = resourceOfKind(kind);
    return facts === undefined ? undefined : router.endpoint(facts.group, facts.version, facts.resource);
  };
  const advertised = advertiseAddress(options.bindAddress);
  await ensureObjects(systemNamespaces(), endpointOf);
  await ensureObjects(
    [
      ...systemPriorityClasses(),
      ...bootstrapRbac(),
      kubernetesService('10.0.0.1', port),
      ...(advertised === undefined ? [] : kubernetesEndpoints(advertised, port)),
    ],
    endpointOf,
  );
  await sources.ready();
  const retention = new HistoryRetention({
    kv: options.kv,
    retentionMs: HISTORY_RETENTION_MS,
    now,
    report: (error) => report(error, 'history retention'),
  });

  let stopped: Promise<void> | undefined;
  return {
    port,
    stop: () => {
      stopped ??= (async () => {
        draining.abort();
        inFlight.abortLongRunning(new Error('the server is shutting down'));
        await https.close({ drainMs: DRAIN_MS });
        retention[Symbol.dispose]();
        catalog.stop();
      })();
      return stopped;
    },
  };
}

function reportToStandardError(error: unknown, path: string): void {
  process.stderr.write(`${path}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}
