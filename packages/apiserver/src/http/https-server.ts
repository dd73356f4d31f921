import { constants } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type ServerOptions,
} from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { isTurnOver, nextTurn } from '../slices/index.js';
import type { Exchange } from './exchange.js';
import { Http1Exchange } from './http1-exchange.js';
import { Http2Exchange } from './http2-exchange.js';
import { defaultLimits, type HttpLimits } from './limits.js';
import { type Peer, peerOf, readAuthorities } from './peer-certificate.js';
import { Pipeline, type WaitingRequests } from './pipeline.js';
import { type HeadProblem, headProblem } from './request-head.js';
import { SessionTraffics } from './session-traffic.js';
import { UnsentAnswers } from './unsent-answers.js';
import { acceptUpgrades } from './upgrade.js';

export interface HttpsServerOptions {
  /** All PEM. Without client authorities no client certificate is asked for. */
  readonly tls: {
    readonly certificate: string;
    readonly privateKey: string;
    readonly clientCertificateAuthorities: readonly string[];
  };
  /** Called once a request, as soon as its head is complete. Owns the exchange from then on; must not throw. */
  readonly handler: (exchange: Exchange) => void;
  readonly limits?: Partial<HttpLimits>;
}

export interface HttpsServer {
  /** Rejects with the system's error (`EADDRINUSE`, `EACCES`, ...) as it is. Port 0 takes a free one. */
  listen(address: string, port: number): Promise<{ readonly port: number }>;
  /**
   * Stops accepting, tells every HTTP/2 client to go away, closes idle connections and lets the rest finish; whatever
   * still runs after `drainMs` is destroyed. Ending long-running requests is the caller's part ({@link Exchange.abort}).
   * Resolves when no connection is left; may be called again with a shorter time.
   */
  close(options: { readonly drainMs: number }): Promise<void>;
}

const REFUSAL_HEADERS = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' };
const unknownPeer: Peer = { certificate: undefined, certificateError: undefined, address: '' };

/**
 * HTTPS with HTTP/2 and HTTP/1.1 on one port, chosen by ALPN. One TLS listener serves HTTP/1.1 itself and hands
 * sockets that chose `h2` to the HTTP/2 session layer, so that neither protocol passes through the other's adapter.
 */
export function createHttpsServer(options: HttpsServerOptions): HttpsServer {
  const limits: HttpLimits = { ...defaultLimits, ...options.limits };
  const { certificate, privateKey, clientCertificateAuthorities } = options.tls;
  const authorities = readAuthorities(clientCertificateAuthorities);
  const sessions = new Set<ServerHttp2Session>();
  const traffics = new SessionTraffics();
  const sockets = new Set<{ destroy(): unknown }>();
  const peers = new WeakMap<object, Peer>();
  const unsent = new UnsentAnswers(limits.answerTimeout);
  const waiting: WaitingRequests = { count: 0, maximum: limits.maxWaitingRequests };
  const pipelines = new WeakMap<object, Pipeline>();
  let draining = false;
  let closed: Promise<void> | undefined;

  const server = createServer({
    cert: certificate,
    key: privateKey,
    ...(clientCertificateAuthorities.length === 0
      ? {}
      : { ca: [...clientCertificateAuthorities], requestCert: true, rejectUnauthorized: false }),
    // A resumed session would bring the verdict of an earlier handshake, and not the certificates that it rests on.
    // A second handshake costs as much as the first, and would not change who the peer is. Go refuses it too.
    secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['h2', 'http/1.1'],
    handshakeTimeout: limits.headersTimeout,
    maxHeaderSize: limits.maxHeaderSize,
    requireHostHeader: false,
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.headersTimeout + limits.bodyTimeout,
    keepAliveTimeout: limits.idleTimeout,
    keepAlive: true,
    noDelay: true,
  });
  // Node silently drops lines beyond its limit. One line more than we accept tells us that there are too many.
  server.maxHeadersCount = limits.maxHeaderLines + 1;
  server.maxConnections = limits.maxConnections;
  const sessionOptions = http2Options(limits);

  /** Hundreds of requests can come in one turn of the loop, which others need too. */
  const handle = (exchange: Exchange): void => {
    if (!isTurnOver()) {
      options.handler(exchange);
      return;
    }
    void nextTurn().then(() => {
      if (!exchange.signal.aborted) options.handler(exchange);
    });
  };

  const startSession = (socket: TLSSocket, peer: Peer): void => {
    const session = performServerHandshake(socket, sessionOptions);
    session.setLocalWindowSize(limits.streamWindow * limits.maxConcurrentStreams);
    const traffic = traffics.add(session, socket);
    const received = (bytes: number): void => traffic.received(bytes);
    const exchangeOptions = { bodyTimeout: limits.bodyTimeout, unsent, received };
    let open = 0;
    sessions.add(session);
    session.once('close', () => {
      sessions.delete(session);
      traffics.delete(session);
      // Node forgets to stop the timer of the idle timeout: until it is over, it holds the session, and that must not hold the server.
      session.removeAllListeners();
      session.on('error', ignore);
    });
    session.on('error', () => session.destroy());
    session.setTimeout(limits.idleTimeout, () => {
      if (open === 0) session.destroy();
    });
    const serve = (
      stream: ServerHttp2Stream,
      headers: IncomingHttpHeaders,
      _flags: number,
      rawHeaders: string[],
    ): void => {
      open++;
      stream.once('close', () => open--);
      traffic.opened(rawHeaders.reduce((size, text) => size + text.length, 0));
      handle(new Http2Exchange(stream, headers, rawHeaders, peer, exchangeOptions));
    };
    session.on('stream', serve);
    if (draining) session.close();
  };

  // The server's own listener, which serves HTTP/1.1.
  const serveHttp1 = server.listeners('secureConnection');
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket: TLSSocket) => {
    socket.on('error', () => socket.destroy());
    const peer = peerOf(socket, authorities);
    if (socket.alpnProtocol === 'h2') {
      startSession(socket, peer);
      return;
    }
    peers.set(socket, peer);
    for (const listener of serveHttp1) listener.call(server, socket);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  const problemOf = (request: IncomingMessage): HeadProblem | undefined => headProblem(request, limits.maxHeaderLines);
  const begin = (request: IncomingMessage, exchange: Exchange): void => {
    const problem = problemOf(request);
    if (problem === undefined) handle(exchange);
    else exchange.respond(problem.status, REFUSAL_HEADERS, problem.text);
  };
  const serve = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void => {
    const { socket } = request;
    const peer = peers.get(socket) ?? unknownPeer;
    const pipeline = pipelines.get(socket) ?? new Pipeline(socket, waiting);
    pipelines.set(socket, pipeline);
    pipeline.enter(response, () => {
      const exchangeOptions = { bodyTimeout: limits.bodyTimeout, expectsContinue, unsent, isDraining: () => draining };
      begin(request, new Http1Exchange(request, response, peer, exchangeOptions));
    });
  };
  server.on('request', (request, response) => serve(request, response, false));
  server.on('checkContinue', (request, response) => serve(request, response, true));
  acceptUpgrades(server, {
    isSound: (request) => problemOf(request) === undefined,
    begin,
    unsent,
    isBusy: (socket) => pipelines.get(socket)?.isBusy === true,
    peerOf: (socket) => peers.get(socket) ?? unknownPeer,
    serveAgain: (socket) => {
      for (const listener of serveHttp1) listener.call(server, socket);
    },
  });

  return {
    listen: (address, port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host: address, port }, () => {
          server.off('error', reject);
          resolve({ port: (server.address() as AddressInfo).port });
        });
      }),
    close: async ({ drainMs }) => {
      draining = true;
      closed ??= new Promise((resolve) => {
        server.close(() => resolve());
      });
      for (const session of sessions) session.close();
      const timer = setTimeout(() => {
        for (const session of sessions) session.destroy();
        for (const socket of sockets) socket.destroy();
      }, drainMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

function ignore(): void {}

function http2Options(limits: HttpLimits): ServerOptions {
  return {
    settings: {
      maxConcurrentStreams: limits.maxConcurrentStreams,
      initialWindowSize: limits.streamWindow,
      maxFrameSize: limits.streamWindow,
      maxHeaderListSize: limits.maxHeaderSize,
      enablePush: false,
    },
    maxHeaderListPairs: limits.maxHeaderLines,
    maxSendHeaderBlockLength: limits.maxHeaderSize,
    // Megabytes. Answers are cut into pieces that wait for the client, so this is a backstop, far above what one
    // client can queue; the default of 10 refuses a dozen parallel lists.
    maxSessionMemory: 1000,
  };
}
