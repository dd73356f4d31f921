import {
  createHealth,
  type Health,
  type HealthCheck,
  healthChangeReporter,
  type HealthRoot,
  informerSyncCheck,
  logCheck,
  pingCheck,
  shutdownCheck,
  storageReadinessCheck,
  storeCheck,
  storeReadinessCheck,
} from '../../health/index.js';
import type { ServerConfig } from '../config.js';
import { isFull } from '../upkeep/full-store.js';
import type { ResourceApi } from '../resource-api.js';
import type { ServerMetrics } from './server-metrics.js';

/** The health of the whole server. It is unready once `draining` fires. */
export function createServerHealth(
  { kv, encryption, clock, report, healthChecks }: ServerConfig,
  { sources, catalog }: ResourceApi,
  { healthResult }: ServerMetrics,
  draining: AbortSignal,
): Health {
  const changed = healthChangeReporter(report);
  const onResult = (root: HealthRoot, name: string, failure: Error | undefined): void => {
    healthResult(root, name, failure);
    changed(root, name, failure);
  };
  return createHealth(
    [
      pingCheck,
      logCheck(() => process.stderr.writableNeedDrain),
      storeCheck(clock, (signal) => kv.checkHealth(signal), isFull),
      storeReadinessCheck(clock, (signal) => kv.checkHealth(signal)),
      informerSyncCheck(() => sources.unknown()),
      storageReadinessCheck(() => catalog.unreadyCaches()),
      shutdownCheck(draining),
      ...(encryption?.healthChecks ?? []),
      ...healthChecks.map((check): HealthCheck => ({ ...check, roots: ['healthz'] })),
    ],
    { onResult },
  );
}
