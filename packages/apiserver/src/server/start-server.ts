import { CLOSING_MS } from '@binnacle/apimachinery/batching';
import { sleep } from '@binnacle/apimachinery/clock';
import { buildFrom, disposeTogether } from '@binnacle/apimachinery/disposal';
import { createHttpsServer, createInProcessServer, type HttpsServer, type HttpsServerOptions } from '../http/index.js';
import { startBackground } from './upkeep/background.js';
import { completeOptions, type ServerConfig } from './config.js';
import { createServer, type Server } from './create-server.js';
import { followFlowControl, keepFlowControl } from './upkeep/flow-control-keeper.js';
import { announceServer, makeReady } from './upkeep/make-ready.js';
import type { RunningServer, ServerOptions } from './options.js';

/** How long a shutdown waits for requests in progress. */
const DRAIN_MS = 8000;
/** How long it may take with the last audit events and spans, besides the delays of flags. The store closes afterwards. */
const STOP_MS = 9500;
const LEAST_CLOSING_MS = STOP_MS - DRAIN_MS;

interface Closing {
  /** When the requests in progress began to end, in milliseconds of the monotonic clock. */
  began: number;
  /** Resolves when the forks have ended. */
  forks?: Promise<void> | undefined;
}

/** Builds the whole server and listens; resolves when it is ready. If it rejects, it leaves nothing open. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const config = completeOptions(options);
  return buildFrom(async (stages) => {
    const draining = new AbortController();
    const address = { port: config.securePort };
    const server = createServer(config, draining.signal, () => address.port);
    const { api, aggregator, handler, inFlight, memory } = server;
    for (const part of [memory, server.flowControl]) stages.use(part);
    stages.defer(() => server.services.close());
    const closing: Closing = { began: config.clock.monotonic() };
    stages.defer(() => closing.forks);
    stages.defer(() => sendTheLast(server, closing.began, config));
    stages.defer(() => api.stop());
    stages.defer(() => aggregator?.stop());

    const https = config.connections === 'none' ? undefined : listenerOf(config, server);
    const inProcess = createInProcessServer(handler, config.clock);
    stages.defer(async () => {
      closing.began = config.clock.monotonic();
      // Their requests end while those of this server do, and they need only its store.
      closing.forks = server.forks?.close();
      // A failure is reported when all else has ended.
      closing.forks?.catch(() => undefined);
      // A start that fails waits for no request.
      const drainMs = draining.signal.aborted ? DRAIN_MS + config.shutdownWatchGraceMs : 0;
      server.refuse();
      const watchesEnded = inFlight.abortLongRunning(
        new Error('the server is shutting down'),
        drainMs === 0 ? 0 : config.shutdownWatchGraceMs,
      );
      if (config.shutdownSendsRetryAfter) await Promise.all([watchesEnded, inFlight.settled(drainMs)]);
      await Promise.all([https?.close({ drainMs }), inProcess.close({ drainMs }), inFlight.settled(drainMs)]);
    });
    address.port = await openListener(https, config);

    stages.use(await makeReady(config, api, address.port));
    const lease = announceServer(config, api, address.port);
    stages.defer(() => lease?.stop());
    stages.use(await (config.isWorker ? followFlowControl(api, config) : keepFlowControl(api, config)));
    await aggregator?.start();
    const background = startBackground(config, server, draining.signal);
    stages.defer(() => background.dispose());

    let announced: Promise<void> | undefined;
    const announceStop = (): Promise<void> => {
      draining.abort();
      announced ??= Promise.all([sleepUnlessZero(config), lease?.stop()]).then(() => undefined);
      return announced;
    };
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

/** `began`: when the requests in progress began to end. They leave more or less time for the last audit events. */
function sendTheLast({ audit, tracing }: Server, began: number, { clock }: ServerConfig): Promise<void> {
  const left = Math.max(LEAST_CLOSING_MS, STOP_MS - (clock.monotonic() - began));
  return disposeTogether([() => audit?.sink.close(Math.min(CLOSING_MS, left)), () => tracing?.close()]);
}

function listenerOf(config: ServerConfig, { handler, memory: { maxUnsentBytes } }: Server): HttpsServer {
  const limits = { maxUnsentBytes, maxUnfinishedHeadBytes: maxUnsentBytes };
  return createHttpsServer({ tls: tlsOf(config), handler, limits, servesHttp2: config.servesHttp2 });
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

/** Load balancers need this long to stop sending requests. */
function sleepUnlessZero({ clock, shutdownDelayMs }: ServerConfig): Promise<void> {
  return shutdownDelayMs > 0 ? sleep(clock, shutdownDelayMs) : Promise.resolve();
}

function tlsOf({ tls, frontProxies }: ServerConfig): HttpsServerOptions['tls'] {
  return { ...tls, proxyCertificateAuthorities: frontProxies?.authorities ?? [] };
}
