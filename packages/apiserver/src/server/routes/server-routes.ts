import { kubernetesVersion } from '@binnacle/api/table';
import {
  combineSources,
  createDiscovery,
  type Discovery,
  releaseVersion,
  servedSource,
} from '../../discovery/index.js';
import type { Aggregator } from '../../aggregation/index.js';
import type { ForkPages } from '../../forks/index.js';
import type { Health } from '../../health/index.js';
import type { MetricsEndpoint } from '../../metrics/index.js';
import { profilePages } from '../../profiling/index.js';
import type { Handler } from '../../request/index.js';
import { createOpenId, type OpenId } from '../../serviceaccounts/index.js';
import { createZPages, type ZPages } from '../../zpages/index.js';
import type { ApiExtensions } from '../../apiextensions/index.js';
import type { ServerConfig } from '../config.js';
import { lazyOpenApi } from './lazy-open-api.js';
import type { ResourceApi } from '../resource-api.js';
import type { ServerFlowControl } from '../server-flow-control.js';
import { serverAddressOf } from '../upkeep/advertise-address.js';
import { createRoutes } from './routes.js';

/** The build part of the server's version. */
export const BUILD = 'binnacle';

export interface RouteParts {
  readonly aggregator: Aggregator | undefined;
  readonly health: Health;
  readonly metrics: MetricsEndpoint;
  readonly flowControl: ServerFlowControl;
  readonly forks: ForkPages;
  /** The port that the server listens on. */
  readonly port: () => number;
}

/** The handler of every request that has passed the filters. */
export function createServerRoutes(config: ServerConfig, api: ResourceApi, parts: RouteParts): Handler {
  const { served, serializers, unsafeDeletion, clock, now, faults } = config;
  const { router, extensions } = api;
  const { aggregator, health, metrics } = parts;
  const serverAddress = (): string => serverAddressOf(config, parts.port());
  const openId = createServerOpenId(config, serverAddress);
  const zpages = createServerZPages(config, [...health.paths, ...metrics.paths]);
  const discovery = createServerDiscovery(config, api, aggregator, serverAddress, () => [
    ...health.paths,
    ...metrics.paths,
    ...openId.paths,
    ...zpages.paths,
    '/openapi/v2',
    '/openapi/v3',
  ]);
  const openApi = lazyOpenApi({
    served,
    serializers,
    custom: extensions === undefined ? undefined : () => extensions.openApi(),
    remote: aggregator === undefined ? undefined : () => aggregator.openApi(),
    version: `v${kubernetesVersion()}.0`,
    now,
  });
  return createRoutes({
    router,
    serializers,
    unsafeDeletion,
    aggregator,
    extensions,
    discovery,
    health,
    metrics,
    flowControl: parts.flowControl,
    forks: parts.forks,
    zpages,
    profiling: config.servesProfiles ? profilePages({ clock }) : undefined,
    openId,
    openApi,
    catchUp: extensions !== undefined && config.isWorker ? () => caughtUp(config, extensions) : undefined,
    faults,
  });
}

async function caughtUp({ kv }: ServerConfig, extensions: ApiExtensions): Promise<void> {
  // The store has then delivered all events up to this revision.
  await kv.currentRevision();
  await extensions.caughtUp();
}

function createServerZPages({ clock, random, statusz, flags }: ServerConfig, paths: readonly string[]): ZPages {
  return createZPages({
    clock,
    random: random.fork(),
    startedAt: clock.now(),
    goVersion: `node-${process.version}`,
    version: releaseVersion(),
    paths: [...paths, '/version'],
    statusz,
    flags,
  });
}

function createServerOpenId({ serviceAccounts }: ServerConfig, serverAddress: () => string): OpenId {
  const { keys, issuers, jwksUri } = serviceAccounts;
  return createOpenId({
    issuer: issuers[0],
    jwksUri: () => jwksUri ?? `https://${serverAddress()}/openid/v1/jwks`,
    keys,
  });
}

function createServerDiscovery(
  { served, serializers }: ServerConfig,
  { extensions }: ResourceApi,
  aggregator: Aggregator | undefined,
  serverAddress: () => string,
  otherPaths: () => readonly string[],
): Discovery {
  const custom = extensions === undefined ? [] : [extensions.discovery];
  const source = combineSources([servedSource(served), ...custom]);
  const { listed, aggregated } = aggregator ?? {};
  return createDiscovery({ source, listed, aggregated, serverAddress, build: BUILD, serializers, otherPaths });
}
