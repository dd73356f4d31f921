import { sleep } from '@binnacle/apimachinery/clock';
import { buildFrom } from '@binnacle/apimachinery/disposal';
import { createHttpsServer, createInProcessServer, type HttpsServerOptions } from '../http/index.js';
import { startBackground } from './background.js';
import { bootstrapObjects } from './bootstrap-objects.js';
import { completeOptions, type ServerConfig } from './config.js';
import { createServer } from './create-server.js';
import { isFull } from './full-store.js';
import type { RunningServer, ServerOptions } from './options.js';
import type { ResourceApi } from './resource-api.js';

/** No request can be authorized without them. */
const RBAC_RESOURCES = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'];
/** How long a shutdown waits for requests in progress. */
const DRAIN_MS = 8000;

/** Builds the whole server and listens; resolves when it is ready. If it rejects, it leaves nothing open. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const config = completeOptions(options);
  return buildFrom(async (stages) => {
    const draining = new AbortController();
    const address = { port: config.securePort };
    const { api, aggregator, handler, inFlight, memory } = createServer(config, draining.signal, () => address.port);
    stages.use(memory);
    stages.defer(() => api.stop());
    stages.defer(() => aggregator?.stop());

    const { maxUnsentBytes } = memory;
    const https = createHttpsServer({ tls: tlsOf(config), handler, limits: { maxUnsentBytes } });
    const inProcess = createInProcessServer(handler, config.clock);
    stages.defer(async () => {
      // A start that fails waits for no request.
      const drainMs = draining.signal.aborted ? DRAIN_MS : 0;
      inFlight.abortLongRunning(new Error('the server is shutting down'));
      await Promise.all([https.close({ drainMs }), inProcess.close({ drainMs }), inFlight.settled(drainMs)]);
    });
    address.port = (await https.listen(config.bindAddress, config.securePort)).port;

    await makeReady(config, api, address.port);
    await aggregator?.start();
    const background = startBackground(config, api, draining.signal);
    stages.defer(() => background.dispose());

    let announced: Promise<void> | undefined;
    const announceStop = (): Promise<void> => {
      draining.abort();
      announced ??= config.shutdownDelayMs > 0 ? sleep(config.clock, config.shutdownDelayMs) : Promise.resolve();
      return announced;
    };
    stages.defer(announceStop);
    return {
      port: address.port,
      send: async (request, signal) => inProcess.send(request, signal),
      announceStop,
      stop: () => stages.dispose(),
    };
  });
}

function tlsOf({ tls, frontProxies }: ServerConfig): HttpsServerOptions['tls'] {
  return { ...tls, proxyCertificateAuthorities: frontProxies?.authorities ?? [] };
}

/** Stores the objects that every cluster has, and waits for those that every request needs. */
async function makeReady(config: ServerConfig, api: ResourceApi, port: number): Promise<void> {
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
