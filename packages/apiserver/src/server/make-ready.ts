import { bootstrapObjects } from './bootstrap-objects.js';
import type { ServerConfig } from './config.js';
import { isFull } from './full-store.js';
import type { ResourceApi } from './resource-api.js';

/** No request can be authorized without them. */
const RBAC_RESOURCES = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'];

/** Stores the objects that every cluster has, and waits for those that every request needs. */
export async function makeReady(config: ServerConfig, api: ResourceApi, port: number): Promise<void> {
  const { bindAddress, serviceClusterIpRange, now, kv, storagePrefix, report, frontProxies, served } = config;
  const { clientCertificateAuthorities } = config.tls;
  await api.extensions?.start();
  const trust = { clientAuthorities: clientCertificateAuthorities, frontProxies };
  const bootstrap = { bindAddress, port, serviceClusterIpRange, trust, served, now };
  await bootstrapObjects(api, bootstrap).catch((error: unknown) => {
    // Earlier starts have stored these objects in a full store; reads and deletions must keep working.
    if (!isFull(error)) throw error;
    report(error instanceof Error ? error.message : String(error), 'bootstrap');
  });
  // A damaged store does not recover while a cache waits for it, so fail the start with its error.
  for (const name of RBAC_RESOURCES) await kv.range({ prefix: `${storagePrefix}${name}/` });
  await api.sources.roles.ready();
  // A store may be readable only, of which an operator must know before the first write fails.
  await kv.checkHealth().catch((error: unknown) => {
    report(error instanceof Error ? error.message : String(error), 'storage');
  });
}
