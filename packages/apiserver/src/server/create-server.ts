import type { MetricRegistry } from '@binnacle/apimachinery/metrics';
import { respondWithError } from '../answers/index.js';
import type { AuditOptions } from '../audit/index.js';
import type { Authenticate } from '../authentication/index.js';
import { createHandlerChain, type InFlightRequests, trackInFlight } from '../filters/index.js';
import { type CertificateMetrics, certificateMetrics, type MetricsEndpoint, readMemory } from '../metrics/index.js';
import type { Exchange } from '../request/index.js';
import type { OpenTracing } from '../tracing/index.js';
import { reviewEndpoints, standaloneServerComponents } from '../reviews/index.js';
import { createAuthenticate } from './access/authenticators.js';
import type { Aggregator } from '../aggregation/index.js';
import { createForkPages, Forks, refusedForkPages, Snapshots } from '../forks/index.js';
import type { ServerConfig } from './config.js';
import { DEFAULT_AUTHORIZERS } from './access/configured-authorizer.js';
import { RemoteServices } from './remote-services.js';
import { openServerAudit } from './readings/server-audit.js';
import { createServerAggregator } from './routes/server-aggregator.js';
import { createFilters } from './server-filters.js';
import { createResourceApi, type ResourceApi } from './resource-api.js';
import { reviewAuthorizer } from './access/review-authorizer.js';
import { type ServerFlowControl, serverFlowControl } from './server-flow-control.js';
import { createServerHealth } from './readings/server-health.js';
import { type ServerMemory, serverMemory } from './readings/server-memory.js';
import { resourceUnder as resourceOf } from './value-retention.js';
import { createServerMetrics } from './readings/server-metrics.js';
import type { StartSteps } from './readings/start-steps.js';
import { BUILD, createServerRoutes } from './routes/server-routes.js';
import { createCodec } from '../codec/index.js';
import type { Termination } from './termination.js';

/** A server without its listeners. */
export interface Server {
  readonly api: ResourceApi;
  readonly aggregator: Aggregator | undefined;
  readonly handler: (exchange: Exchange) => void;
  readonly inFlight: InFlightRequests;
  readonly flowControl: ServerFlowControl;
  readonly memory: ServerMemory;
  /** The services that the administrator has configured. */
  readonly remoteServices: RemoteServices;
  readonly audit: AuditOptions | undefined;
  readonly snapshots: Snapshots;
  readonly metrics: MetricsEndpoint;
  readonly certificates: CertificateMetrics;
  /** Undefined if this server cannot be forked. */
  readonly forks: Forks | undefined;
  /** Undefined: no request has spans. */
  readonly tracing: OpenTracing | undefined;
}

/** What requests notice of the start and the end of the server. */
export interface Lifecycle {
  readonly termination: Pick<Termination, 'initiated' | 'refuses'>;
  readonly steps: StartSteps;
}

/** Builds everything that answers requests. */
export function createServer(config: ServerConfig, { termination, steps }: Lifecycle, port: () => number): Server {
  const { kv, served, clock, report, metrics: registry } = config;
  const remoteServices = new RemoteServices(config);
  const api = createServerApi(config, registry, remoteServices);
  const { allMetrics: all, features } = config;
  const metrics = createServerMetrics({ registry, api, kv, served, build: BUILD, features, clock, all });
  const memory = serverMemory(config, api);
  readMemory(registry, memory.ceiling);
  const audit = openServerAudit(config, remoteServices);
  const tracing = openServerTracing(config);
  const certificates = certificateMetrics(registry);
  const authenticate = createAuthenticate(config, api, remoteServices, certificates);
  addReviews(config, api, authenticate);
  const inFlight = trackInFlight(clock);
  const { authorizer } = api;
  const { ceiling } = memory;
  const { requests } = metrics;
  const flowControl = serverFlowControl(config, api, registry, requests);
  const refuses = (): boolean => termination.refuses;
  const filterParts = { registry, requests, authenticate, authorizer, inFlight, ceiling, audit, tracing, refuses };
  const aggregator = createServerAggregator(config, api, registry);
  const health = createServerHealth(config, api, metrics, { steps, aggregator, draining: termination.initiated });
  const snapshots = new Snapshots(config);
  const forks = config.startFork && new Forks({ start: config.startFork, clock });
  const resourceUnder = (prefix: string): string => resourceOf(prefix, config.storagePrefix);
  const forkPages = config.isWorker
    ? refusedForkPages()
    : createForkPages({ kv, snapshots, forks, authorizer, resourceUnder });
  const pages = { aggregator, health, metrics: metrics.endpoint, flowControl, forks: forkPages, port };
  const handler = createHandlerChain({
    filters: createFilters(config, { ...filterParts, flowControl: flowControl.filter }),
    handler: createServerRoutes(config, api, pages),
    now: () => clock.monotonic(),
    report: (error, context) => report(error, context.path),
    writeError: respondWithError,
  });
  return {
    api,
    aggregator,
    handler,
    inFlight,
    flowControl,
    memory,
    remoteServices,
    audit,
    tracing,
    snapshots,
    metrics: metrics.endpoint,
    certificates,
    forks,
  };
}

function openServerTracing({ tracing, clock, random, log }: ServerConfig): OpenTracing | undefined {
  return tracing?.({ clock, random, report: (error) => log.error('tracing', 'Spans are lost', error) });
}

function createServerApi(config: ServerConfig, metrics: MetricRegistry, remoteServices: RemoteServices): ResourceApi {
  const { tokens: _, serviceAccounts, ...facts } = config;
  const { keys, issuers, apiAudiences, maximumTokenSeconds, extendsTokenExpiration } = serviceAccounts;
  return createResourceApi({
    ...facts,
    admission: config,
    remoteServices,
    tokens: {
      keys,
      issuer: issuers[0],
      apiAudiences,
      maximumSeconds: maximumTokenSeconds,
      extendsExpiration: extendsTokenExpiration,
    },
    metrics,
  });
}

function addReviews(config: ServerConfig, api: ResourceApi, authenticate: Authenticate): void {
  const { kv, served, now, serviceAccounts } = config;
  const { authorizer, kindExists, catalog, router } = api;
  const reviews = reviewEndpoints({
    resources: served.resources,
    authorizer: reviewAuthorizer(config.kubelets, authorizer),
    roleSource: api.sources.roles,
    authorizers: config.authorization?.authorizers ?? (() => DEFAULT_AUTHORIZERS),
    authenticate,
    apiAudiences: serviceAccounts.apiAudiences,
    codecOf: createCodec,
    kindExists,
    plugins: api.plugins,
    admissionObserver: api.admissionObserver,
    pods: () => catalog.find('', 'pods'),
    components: standaloneServerComponents(() => kv.currentRevision()),
    now,
  });
  for (const review of reviews) router.addNonStored(review);
}
