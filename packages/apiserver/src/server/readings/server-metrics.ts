import type { ServedSet } from '@binnacle/api/table';
import type { Clock } from '@binnacle/apimachinery/clock';
import { MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { KV } from '@binnacle/kv';
import { versionInfo } from '../../discovery/index.js';
import type { FeatureState } from '../../features/index.js';
import type { HealthOptions } from '../../health/index.js';
import {
  healthMetrics,
  type MetricsEndpoint,
  type MetricsEndpointOptions,
  metricsEndpoint,
  readStorages,
  type RequestMetrics,
  requestMetrics,
} from '../../metrics/index.js';
import { countedRequests } from './counted-requests.js';
import type { ResourceApi } from '../resource-api.js';

export interface ServerMetricsOptions {
  /** The registry in which the API counts. */
  readonly registry: MetricRegistry;
  readonly api: ResourceApi;
  readonly kv: KV;
  readonly served: ServedSet;
  /** The build part of the version. */
  readonly build: string;
  readonly features: readonly FeatureState[];
  readonly clock: Clock;
  /** See {@link MetricsEndpointOptions}. */
  readonly all: MetricsEndpointOptions['all'];
}

export interface ServerMetrics {
  readonly requests: RequestMetrics;
  readonly endpoint: MetricsEndpoint;
  /** Receives the results of health checks. */
  readonly healthResult: NonNullable<HealthOptions['onResult']>;
}

/** The metrics of the whole server, and the endpoint that exposes them. */
export function createServerMetrics({
  registry,
  api,
  kv,
  served,
  build,
  features,
  clock,
  all,
}: ServerMetricsOptions): ServerMetrics {
  readStorages({
    registry,
    storages: () => api.catalog.units.values(),
    sizeBytes: async (signal) => (await kv.status(signal)).sizeBytes,
    clock,
  });
  const health = new MetricRegistry();
  const countHealth = healthMetrics(health);
  return {
    requests: requestMetrics({ registry, now: () => clock.monotonic(), describe: countedRequests(api.router, served) }),
    endpoint: metricsEndpoint({ registry, health, version: versionInfo(build), features, all }),
    healthResult: (root, name, failure) => countHealth(name, root, failure === undefined),
  };
}
