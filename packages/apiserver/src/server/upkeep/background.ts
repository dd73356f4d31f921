import { repeat } from '@binnacle/apimachinery/clock';
import { DisposalStack } from '@binnacle/apimachinery/disposal';
import { HistoryRetention } from '../../storage/index.js';
import type { ServerConfig } from '../config.js';
import type { Server } from '../create-server.js';
import { retentionsOf } from '../value-retention.js';
import { WallClockWatch } from './wall-clock-watch.js';
import { warmCaches } from './warm-caches.js';

/** How often addresses and ports that a crash has leaked are released. Upstream: `ServiceClusterIPInterval`. */
const REPAIR_INTERVAL_MS = 3 * 60_000;
/**
 * The pause before large caches are built, so that the process that embeds the server runs undisturbed until then.
 */
const WARMING_PAUSE_MS = 2000;

/** Starts the work that no request waits for. `draining` ends the part of it that is under way. */
export function startBackground(
  config: ServerConfig,
  { api, snapshots }: Pick<Server, 'api' | 'snapshots'>,
  draining: AbortSignal,
): DisposalStack {
  const { kv, clock, isFork, isWorker, report } = config;
  const work = new DisposalStack();
  if (isWorker) return work;
  const failed = (error: unknown): void => report(error, 'history retention');
  const oldestKept = (compactedRevision: number): number | undefined => snapshots.oldest(compactedRevision);
  const retention = { kv, oldestKept, clock, report: failed };
  for (const each of retentionsOf(config)) work.use(new HistoryRetention({ ...retention, ...each }));
  work.use(new WallClockWatch({ clock, report: (text) => report(text, 'clock') }));

  const warm = (): void => {
    // A fork costs the same whatever the number of objects, until clients read them.
    if (kv.openReader === undefined || isFork) return;
    warmCaches(api.catalog.units.values(), draining).catch((error: unknown) => {
      if (!draining.aborted) report(error, 'caches');
    });
  };
  work.use(clock.setTimer(warm, WARMING_PAUSE_MS).unref());

  const repair = (): void => {
    api.serviceAllocator.repair().catch((error: unknown) => report(error, 'repair of service addresses'));
  };
  work.use(repeat(clock, REPAIR_INTERVAL_MS, repair));
  return work;
}
