import { loops } from '@binnacle/controllers/table';
import type { LocalKV } from '@binnacle/kv';
import { bootstrapStore } from './bootstrapped-store.js';
import type { ClusterOptions } from './cluster-options.js';
import { SimulatedCluster } from './simulated-cluster.js';

let store: Promise<LocalKV> | undefined;

/**
 * Starts a cluster. A start of a server takes most of the time of a small simulation, so all clusters of this process fork one store in which a
 * server has started.
 */
export async function startCluster(options: ClusterOptions): Promise<SimulatedCluster> {
  store ??= prepareStore();
  return SimulatedCluster.start(await store, options);
}

/**
 * A first cluster, whose events do not matter, loads all modules. The virtual clock does not count the time of loading, which would decide the
 * order of work in the next cluster.
 */
async function prepareStore(): Promise<LocalKV> {
  const ignored = { admits: () => true, onEvent: () => undefined };
  const controllers = loops.map(({ name }) => name).join();
  const first = await SimulatedCluster.start(await bootstrapStore(), { seed: 0, nodes: 1, controllers, ...ignored });
  await first.advance(0);
  await first[Symbol.asyncDispose]();
  return bootstrapStore();
}
