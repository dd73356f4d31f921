import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TlsOptions, TLSSocket } from 'node:tls';
import type { Exchange } from '../request/index.js';
import { enter } from '../slices/index.js';
import { clientOf } from './client-of.js';
import { Handshakes } from './tls/handshakes.js';
import { type ConnectionOptions, Http1Connections } from './http1-connections.js';
import { Http2Connections } from './http2-connections.js';
import { defaultLimits, type HttpLimits } from './limits.js';
import { followPeer } from './tls/peer-certificate.js';
import { authoritiesOf, contextFor, contextOf, namedContexts, type ServerTls, trustOf } from './tls/secure-contexts.js';
import { UnfinishedHeads } from './unfinished-heads.js';
import { UnsentAnswers } from './unsent-answers.js';

export interface HttpsServerOptions {
  readonly tls: ServerTls;
  /** Called once for each request, when its head is complete. It then owns the exchange. It must not throw. */
  readonly handler: (exchange: Exchange) => void;
  readonly limits?: Partial<HttpLimits>;
  /** Whether clients may choose HTTP/2. Default: true. */
  readonly servesHttp2?: boolean;
  /** Called for each connection whose TLS handshake fails. Default: nothing. */
  readonly handshakeFailed?: () => void;
}

/** Connections that another process has accepted. */
export interface ConnectionSource {
  /** Passes connections to `take` until the returned function is called. Nothing has been read from them. */
  open(take: (socket: Socket) => void): () => void;
}

export interface HttpsServer {
  /** Serves these connections, instead of listening. */
  serve(source: ConnectionSource): void;
  /** Rejects with the unchanged system error (`EADDRINUSE`, `EACCES`, ...). Port 0 picks a free one. */
  listen(address: string, port: number): Promise<{ readonly port: number }>;
  /**
   * Stops accepting, sends GOAWAY to HTTP/2 clients, closes idle connections and lets other requests finish. After
   * `drainMs` it destroys the rest. The caller ends long-running requests ({@link Exchange.abort}). Resolves when no
   * connection is left. May be called again with a shorter time.
   */
  close(options: { readonly drainMs: number }): Promise<void>;
  /**
   * Shows other certificates to new connections, and trusts other authorities for new requests. Throws, and changes nothing, when
   * they cannot be used.
   */
  renew(tls: ServerTls): void;
}

/**
 * HTTPS with HTTP/2 and HTTP/1.1 on one port, chosen by ALPN. One TLS listener serves HTTP/1.1 itself and hands
 * sockets that chose `h2` to the HTTP/2 connections, so that neither protocol passes through the other's adapter.
 */
export function createHttpsServer(options: HttpsServerOptions): HttpsServer {
  const limits: HttpLimits = { ...defaultLimits, ...options.limits };
  const { servesHttp2 = true } = options;
  let named = namedContexts(options.tls);
  const server = createListener(options.tls, limits, {
    ALPNProtocols: servesHttp2 ? ['h2', 'http/1.1'] : ['http/1.1'],
    SNICallback: (name, done) => done(null, contextFor(name, named)),
  });
  let authorities = trustOf(options.tls);
  const asksForCertificates = authorities.clients.length + authorities.proxies.length > 0;
  let draining = false;
  let closed: Promise<void> | undefined;
  let closeSource: () => void = () => undefined;
  const connectionOptions: ConnectionOptions = {
    limits,
    unsent: new UnsentAnswers(limits.answerTimeout, limits.maxUnsentBytes),
    heads: new UnfinishedHeads(limits.maxUnfinishedHeadBytes),
    handle: inTurn(options.handler),
    isDraining: () => draining,
  };
  const http2 = new Http2Connections(connectionOptions);
  const http1 = new Http1Connections(server, connectionOptions);
  const handshakes = asksForCertificates ? guardHandshakes(server, limits) : undefined;
  // After the guard, which takes the place of all earlier listeners.
  const sockets = openConnections(server);
  server.on('tlsClientError', () => options.handshakeFailed?.());
  server.on('secureConnection', (socket: TLSSocket) => {
    socket.on('error', () => socket.destroy());
    const guarded = handshakes?.current;
    const peer = followPeer(socket, (guarded ?? socket).remoteAddress ?? '', () => authorities);
    guarded?.secured();
    (socket.alpnProtocol === 'h2' ? http2 : http1).serve(socket, peer, guarded ?? { client: undefined });
  });

  return {
    serve: (source) => {
      closeSource = serveSource(server, source, sockets);
    },
    listen: (address, port) => listen(server, address, port),
    close: async ({ drainMs }) => {
      draining = true;
      closeSource();
      closed ??= closeServer(server, sockets);
      http2.close();
      const timer = setTimeout(() => {
        http2.destroy();
        for (const socket of sockets) socket.destroy();
      }, drainMs);
      await closed;
      clearTimeout(timer);
    },
    renew: (tls) => {
      const trust = trustOf(tls);
      const contexts = namedContexts(tls);
      server.setSecureContext(contextOf(tls, tls));
      named = contexts;
      authorities = trust;
    },
  };
}

function createListener(
  tls: ServerTls,
  limits: HttpLimits,
  choices: Pick<TlsOptions, 'ALPNProtocols' | 'SNICallback'>,
): Server {
  const authorities = authoritiesOf(tls);
  const server = createServer({
    ...contextOf(tls, tls),
    ...(authorities.length === 0 ? {} : { requestCert: true, rejectUnauthorized: false }),
    ...choices,
    handshakeTimeout: limits.headersTimeout,
    maxHeaderSize: limits.maxHeaderSize,
    requireHostHeader: false,
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.headersTimeout + limits.bodyTimeout,
    keepAliveTimeout: limits.idleTimeout,
    keepAlive: true,
    noDelay: true,
  });
  // Node silently drops lines beyond its limit. So its limit is one line above ours, to detect too many.
  server.maxHeadersCount = limits.maxHeaderLines + 1;
  server.maxConnections = limits.maxConnections;
  return server;
}

/** Passes guarded sockets to the server's own connection listeners. */
function guardHandshakes(server: Server, { maxHandshakeBytes }: HttpLimits): Handshakes {
  const handshakes = new Handshakes(maxHandshakeBytes);
  const listeners = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const guarded = handshakes.guard(socket);
    for (const listener of listeners) listener.call(server, guarded);
  });
  server.on('keylog', (line: Buffer, socket: TLSSocket) => handshakes.logged(line, socket));
  return handshakes;
}

function openConnections(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/** Returns the function that ends the source. */
function serveSource(server: Server, source: ConnectionSource, sockets: ReadonlySet<Socket>): () => void {
  // Node.js enforces the time limits of requests from this event on.
  server.emit('listening');
  return source.open((socket) => {
    if (sockets.size < server.maxConnections) server.emit('connection', socket.setNoDelay(true).setKeepAlive(true));
    else socket.destroy();
  });
}

/** Resolves when no connection is left. The server does not count those of a source. */
async function closeServer(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  for (const socket of sockets) await new Promise((resolve) => socket.once('close', resolve));
}

function listen(server: Server, address: string, port: number): Promise<{ readonly port: number }> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: address, port }, () => {
      server.off('error', reject);
      resolve({ port: (server.address() as AddressInfo).port });
    });
  });
}

/** Hundreds of requests can arrive in one turn of the loop, so they are spread over several turns. */
function inTurn(handler: (exchange: Exchange) => void): ConnectionOptions['handle'] {
  return (exchange, connection) => {
    connection.client ??= clientOf(exchange);
    enter(connection, () => {
      if (!exchange.aborted) handler(exchange);
    });
  };
}
