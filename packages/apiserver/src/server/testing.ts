import { resolveRuntimeConfig } from '@binnacle/api/table';
import { MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { KV } from '@binnacle/kv/interface';
import { createResourceApi, type ResourceApi, type ResourceApiOptions } from './resource-api.js';

/** For tests: the resources that are served by default, over a store of the test's, at the beginning of time. */
export function testResourceApi(kv: KV, options: Partial<ResourceApiOptions> = {}): ResourceApi {
  return createResourceApi({
    kv,
    storagePrefix: '/registry/',
    served: resolveRuntimeConfig(undefined),
    serviceClusterIpRange: '10.0.0.0/24',
    now: () => 0,
    watchCache: true,
    metrics: new MetricRegistry(),
    eventTtlSeconds: 0,
    minRequestTimeoutSeconds: 0,
    ...options,
  });
}
