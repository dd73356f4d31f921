import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from '@binnacle/apimachinery/clock';
import { forbidden, methodNotAllowed, StatusError, unauthorized, unknownResource } from '@binnacle/apimachinery/status';
import { pause } from '@binnacle/apimachinery/turns';
import { type Delegation, delegateTo, type FrontProxies, readClusterTrust } from '@binnacle/client/delegation';
import type { Transport } from '@binnacle/client/transport';
import { answerText, type CreateServer, drained, handedServer, Listeners } from '../kubelet/index.js';
import { metricsAnswer, type MetricsSource } from './metrics-answer.js';
import { GROUP, metricsTarget, rightFor } from './metrics-target.js';
import { proxiedUser } from './proxied-user.js';

export interface ServeMetricsOptions {
  readonly source: MetricsSource;
  /** An address of this machine. */
  readonly address: string;
  /** The DNS name by which the cluster calls this server. */
  readonly host: string;
  /** The cluster that authenticates and authorizes clients. */
  readonly cluster: Transport;
  readonly clock: Clock;
  /** Called with unexpected failures. Must not throw. */
  readonly report: (error: unknown) => void;
  /** Default: a server of this machine. */
  readonly createServer?: CreateServer | undefined;
}

export interface MetricsServer {
  readonly port: number;
  /** PEM: signs the server's certificate. */
  readonly authority: string;
  /** Ends all connections. */
  readonly close: () => Promise<void>;
}

/** Serves the API to the front proxies of a cluster. Undefined: the cluster has none. */
export async function serveMetrics(options: ServeMetricsOptions): Promise<MetricsServer | undefined> {
  const secured = await metricsServer(options);
  if (secured === undefined) return undefined;
  const { server, authority } = secured;
  const accept = (socket: Socket): void => void server.emit('connection', socket);
  const listeners = await Listeners.open(options.address, 1, accept, options.createServer).catch((error: unknown) => {
    server.close();
    throw error;
  });
  const close = async (): Promise<void> => {
    await listeners.close();
    server.close();
  };
  return { port: listeners.ports[0] ?? 0, authority, close };
}

/** The server to which the listeners hand their connections, which the caller closes. Undefined: the cluster has no front proxies. */
export async function metricsServer(
  options: Omit<ServeMetricsOptions, 'address'>,
): Promise<{ readonly server: Server; readonly authority: string } | undefined> {
  const { cluster, clock, host } = options;
  const { frontProxies } = await readClusterTrust(cluster);
  if (frontProxies === undefined) return undefined;
  const { createIssuer } = await import('@binnacle/client/certificates');
  const issuer = await createIssuer('binnacle-metrics-ca', clock.now());
  const { certificate: cert, privateKey: key } = issuer.issueServing(host, [host]);
  const server = handedServer({
    cert,
    key,
    ca: [...frontProxies.authorities],
    requestCert: true,
    rejectUnauthorized: false,
  });
  const delegation = delegateTo(cluster, clock);
  answerWith(server, { ...options, frontProxies, delegation });
  return { server, authority: issuer.authority.certificate };
}

interface Answering extends Omit<ServeMetricsOptions, 'address'> {
  readonly frontProxies: FrontProxies;
  readonly delegation: Delegation;
}

function answerWith(server: Server, parts: Answering): void {
  server.on('request', (request, response) => {
    answer(request, parts)
      .then((pieces) => writePieces(response, pieces))
      .catch((error: unknown) => refuse(response, error, parts));
  });
}

/** The most text that is written at once, in characters. */
const CHUNK = 64 * 1024;

/** Computes a long answer in turns, and at the pace of its reader. Resolves when all is written, or the reader has gone. */
async function writePieces(response: ServerResponse, pieces: Iterable<string>): Promise<void> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    await pause();
    if (text.length < CHUNK) continue;
    if (!response.headersSent) response.writeHead(200, { 'content-type': JSON_TYPE });
    if (!response.write(text) && !response.destroyed) await drained(response);
    if (response.destroyed) return;
    text = '';
  }
  if (response.headersSent) response.end(text);
  else answerText(response, 200, text, JSON_TYPE);
}

const JSON_TYPE = 'application/json';

async function answer(
  request: IncomingMessage,
  { frontProxies, delegation, source, clock }: Answering,
): Promise<Iterable<string>> {
  const user = proxiedUser(request, frontProxies, clock.now());
  if (user === undefined) throw unauthorized();
  const { pathname, searchParams } = new URL(request.url ?? '/', 'https://metrics');
  const target = metricsTarget(pathname);
  if (target === undefined) throw unknownResource();
  const right = rightFor(target, pathname, user);
  const { allowed, reason } = await delegation.authorize(right);
  if (!allowed) throw forbidden({ group: GROUP, resource: right.resource }, right.name, reason);
  if (request.method !== 'GET') throw methodNotAllowed();
  return metricsAnswer(target, searchParams, source, clock.now());
}

function refuse(response: ServerResponse, error: unknown, { report }: Answering): void {
  if (error instanceof StatusError) return answerText(response, error.code, JSON.stringify(error.status), JSON_TYPE);
  report(error);
  // An answer that has begun cannot become an error.
  if (response.headersSent) return void response.destroy();
  answerText(response, 500, 'Internal Server Error');
}
