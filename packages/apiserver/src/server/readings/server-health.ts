import {
  autoRegistrationCheck,
  bootChecks,
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
import type { Aggregator } from '../../aggregation/index.js';
import type { ServerConfig } from '../config.js';
import { isFull } from '../upkeep/full-store.js';
import type { ResourceApi } from '../resource-api.js';
import type { ServerMetrics } from './server-metrics.js';
import type { StartSteps } from './start-steps.js';

export interface HealthParts {
  readonly steps: StartSteps;
  /** Undefined when APIServices are not served. */
  readonly aggregator: Pick<Aggregator, 'unregistered'> | undefined;
  /** The server is unready once it fires. */
  readonly draining: AbortSignal;
}

/** The health of the whole server. */
export function createServerHealth(
  config: ServerConfig,
  { sources, catalog }: ResourceApi,
  { healthResult }: ServerMetrics,
  { steps, aggregator, draining }: HealthParts,
): Health {
  const { kv, encryption, clock, report, healthChecks } = config;
  const boot = [
    ...steps.checks(),
    ...(aggregator === undefined ? [] : [autoRegistrationCheck(() => aggregator.unregistered)]),
  ];
  const storages = storageReadinessCheck(() => catalog.unreadyCaches());
  // Upstream checks storages only at its start. To be alive, it is enough that the store has been read.
  const storagesAtStart: HealthCheck = {
    name: storages.name,
    roots: ['healthz', 'livez'],
    check: () => steps.check('definitions'),
  };
  const bootNames = new Set(boot.map(({ name }) => name));
  const changed = healthChangeReporter(report);
  const onResult = (root: HealthRoot, name: string, failure: Error | undefined): void => {
    healthResult(root, name, failure);
    // A start that takes its time is not a failure.
    if (!bootNames.has(name)) changed(root, name, failure);
  };
  return createHealth(
    [
      pingCheck,
      logCheck(() => process.stderr.writableNeedDrain),
      storeCheck(clock, (signal) => kv.checkHealth(signal), isFull),
      storeReadinessCheck(clock, (signal) => kv.checkHealth(signal)),
      informerSyncCheck(() => sources.unknown()),
      storages,
      ...bootChecks(storagesAtStart, config),
      ...boot.flatMap((check) => bootChecks(check, config)),
      shutdownCheck(draining),
      ...(encryption?.healthChecks ?? []),
      ...healthChecks.map((check): HealthCheck => ({ ...check, roots: ['healthz'] })),
    ],
    { onResult },
  );
}
