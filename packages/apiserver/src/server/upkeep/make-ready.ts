import { messageOf } from '@binnacle/apimachinery/errors';
import { bootstrapObjects, restoreKubernetesService } from './bootstrap-objects.js';
import type { ServerConfig } from '../config.js';
import { isFull } from './full-store.js';
import { ObjectKeeper } from './object-keeper.js';
import type { StartSteps } from '../readings/start-steps.js';
import type { ResourceApi } from '../resource-api.js';
import { advertiseAddress } from './advertise-address.js';
import { correctKubernetesEndpoints } from './kubernetes-endpoints.js';
import { ServerLease } from './server-lease.js';
import { watchKeys } from './watch-keys.js';

/** No request can be authorized without them. */
const RBAC_RESOURCES = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'];

/** What {@link restoreKubernetesService} restores. */
const RESTORED_KEYS = ['services/specs', 'services/endpoints', 'endpointslices'].map(
  (kind) => `${kind}/default/kubernetes`,
);

/**
 * Stores the objects that every cluster has, and waits for those that every request needs. Until the result is disposed
 * of, the server tries again to store what it could not, and restores the `kubernetes` service and its endpoints.
 */
export async function makeReady(
  config: ServerConfig,
  api: ResourceApi,
  port: number,
  steps: Pick<StartSteps, 'done'>,
): Promise<Disposable> {
  const { serviceClusterIpRange, now, kv, storagePrefix, report, frontProxies, served, clock } = config;
  const { clientCertificateAuthorities } = config.tls;
  await api.extensions?.start();
  steps.done('definitions');
  if (config.isWorker) {
    await api.sources.roles.ready();
    steps.done('rules');
    return { [Symbol.dispose]: () => undefined };
  }
  const trust = { clientAuthorities: clientCertificateAuthorities, frontProxies };
  const options = {
    advertised: advertisedBy(config),
    port,
    serviceClusterIpRange,
    trust,
    served,
    now,
    report,
    isShared: kv.requestProgress !== undefined,
  };
  const reported = (error: unknown): false => {
    report(messageOf(error), 'bootstrap');
    return false;
  };
  const bootstrap = (): Promise<boolean> => bootstrapObjects(api, options);
  // A fork has the objects of its parent. The keeper looks for missing ones later.
  const isComplete = config.isFork ? false : await prepareStore(config, bootstrap, reported);
  steps.done('objects');
  await api.sources.roles.ready();
  steps.done('rules');
  const restoredKeys = RESTORED_KEYS.map((key) => `${storagePrefix}${key}`);
  return new ObjectKeeper({
    clock,
    isComplete,
    bootstrap,
    restore: () => restoreKubernetesService(api, options),
    watch: (onChange, onEnd, signal) => watchKeys(kv, restoredKeys, { onChange, onEnd, signal }),
    report: reported,
  });
}

/** Stores the objects of the start, and checks the store. Resolves to false when some objects are missing. */
async function prepareStore(
  { kv, storagePrefix, report }: ServerConfig,
  bootstrap: () => Promise<boolean>,
  reported: (error: unknown) => false,
): Promise<boolean> {
  const isComplete = await bootstrap().catch((error: unknown) => {
    // Earlier starts have stored these objects in a full store; reads and deletions must keep working.
    if (!isFull(error)) throw error;
    return reported(error);
  });
  // A damaged store does not recover while a cache waits for it, so fail the start with its error.
  for (const name of RBAC_RESOURCES) await kv.range({ prefix: `${storagePrefix}${name}/` });
  // A store may refuse writes. The operator should learn of it before the first write fails.
  await kv.checkHealth().catch((error: unknown) => {
    report(messageOf(error), 'storage');
  });
  return isComplete;
}

/** The address that this server gives to clients in the cluster, if it keeps the endpoints of the `kubernetes` service. */
function advertisedBy({ bindAddress, advertiseAddress: given, endpointReconciler }: ServerConfig): string | undefined {
  return endpointReconciler === 'none' ? undefined : (given ?? advertiseAddress(bindAddress));
}

/** Announces this server to the others that share its store; undefined: no other can, or it has no address for them. */
export function announceServer(config: ServerConfig, api: ResourceApi, port: number): ServerLease | undefined {
  const { kv, storagePrefix, clock, report, isWorker } = config;
  const address = advertisedBy(config);
  if (isWorker || address === undefined || kv.requestProgress === undefined) return undefined;
  return new ServerLease({
    kv,
    storagePrefix,
    address,
    clock,
    reconcile: (addresses) => correctKubernetesEndpoints(api, addresses, port),
    report: (error) => report(messageOf(error), 'kubernetes endpoints'),
  });
}
