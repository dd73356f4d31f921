import { CLOSING_MS } from '@binnacle/apimachinery/batching';
import { buildFrom, disposeTogether } from '@binnacle/apimachinery/disposal';
import { createHttpsServer, createInProcessServer, type HttpsServer, type HttpsServerOptions } from '../http/index.js';
import { startBackground } from './upkeep/background.js';
import { completeOptions, type ServerConfig } from './config.js';
import { createServer, type Server } from './create-server.js';
import { followFlowControl, keepFlowControl } from './upkeep/flow-control-keeper.js';
import { announceServer, makeReady } from './upkeep/make-ready.js';
import type { RunningServer, ServerOptions } from './options.js';
import { StartSteps } from './readings/start-steps.js';
import { Termination } from './termination.js';

/** Builds the whole server and listens; resolves when it is ready. If it rejects, it leaves nothing open. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const config = completeOptions(options);
  return buildFrom(async (stages) => {
    const termination = new Termination(config);
    stages.defer(() => termination.log('apiserver is exiting'));
    const steps = stepsOf(config);
    const address = { port: config.securePort };
    const server = createServer(config, { termination, steps }, () => address.port);
    const { api, aggregator, handler, inFlight, memory } = server;
    for (const part of [memory, server.flowControl]) stages.use(part);
    stages.defer(() => server.remoteServices.close());
    let forksEnded: Promise<void> | undefined;
    stages.defer(() => forksEnded);
    stages.defer(() => sendRemaining(server, termination));
    stages.defer(() => api.stop());
    stages.defer(() => aggregator?.stop());

    const https = config.connections === 'none' ? undefined : listenerOf(config, server);
    const inProcess = createInProcessServer(handler, config.clock);
    stages.defer(async () => {
      // The requests of forks end while those of this server do. Forks need only its store.
      forksEnded = server.forks?.close();
      // A failure is reported when all else has ended.
      forksEnded?.catch(() => undefined);
      await termination.drain({
        inFlight,
        close: async (drainMs) => {
          await Promise.all([https?.close({ drainMs }), inProcess.close({ drainMs })]);
        },
      });
    });
    address.port = await openListener(https, config);

    stages.use(await makeReady(config, api, address.port, steps));
    const lease = announceServer(config, api, address.port);
    stages.defer(() => lease?.stop());
    stages.use(await (config.isWorker ? followFlowControl(api, config) : keepFlowControl(api, config)));
    steps.done('flow-control');
    await aggregator?.start();
    steps.done('aggregation');
    const background = startBackground(config, server, termination.initiated);
    steps.done('repair');
    stages.defer(() => background.dispose());

    const announceStop = (): Promise<void> => termination.announce(() => lease?.stop());
    stages.defer(announceStop);
    return {
      port: address.port,
      send: async (request, signal) => inProcess.send(request, signal),
      announceStop,
      renew: (tls, proxyCertificateAuthorities) => https?.renew({ ...tls, proxyCertificateAuthorities }),
      metrics: (path) => server.metrics.textOf(path),
      stop: () => stages.dispose(),
    };
  });
}

/** Workers leave the steps that write to the store to the primary process. */
function stepsOf({ isWorker, served, priorityAndFairness }: ServerConfig): StartSteps {
  return new StartSteps([
    'rules',
    ...(isWorker ? [] : (['objects', 'repair'] as const)),
    ...(priorityAndFairness ? (['flow-control'] as const) : []),
    ...(served.group('apiextensions.k8s.io') === undefined ? [] : (['definitions'] as const)),
    ...(served.group('apiregistration.k8s.io') === undefined ? [] : (['aggregation'] as const)),
  ]);
}

async function sendRemaining({ audit, tracing }: Server, termination: Termination): Promise<void> {
  const closingMs = Math.min(CLOSING_MS, termination.closingMs());
  await disposeTogether([() => audit?.sink.close(closingMs), () => tracing?.close()]);
  if (audit !== undefined) termination.log('audit backend shutdown completed');
}

function listenerOf(config: ServerConfig, { handler, memory, certificates }: Server): HttpsServer {
  const { maxUnsentBytes } = memory;
  const limits = { maxUnsentBytes, maxUnfinishedHeadBytes: maxUnsentBytes };
  const { servesHttp2 } = config;
  return createHttpsServer({
    tls: tlsOf(config),
    handler,
    limits,
    servesHttp2,
    handshakeFailed: certificates.handshakeFailed,
  });
}

/** Returns the port to which clients connect. */
async function openListener(
  https: HttpsServer | undefined,
  { connections, bindAddress, securePort }: ServerConfig,
): Promise<number> {
  if (https === undefined) return securePort;
  if (connections === undefined || connections === 'none') return (await https.listen(bindAddress, securePort)).port;
  https.serve(connections);
  return securePort;
}

function tlsOf({ tls, frontProxies }: ServerConfig): HttpsServerOptions['tls'] {
  return { ...tls, proxyCertificateAuthorities: frontProxies?.authorities ?? [] };
}
