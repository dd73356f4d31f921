import { constants } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Exchange } from '../request/index.js';
import { isTurnOver, nextTurn } from '../slices/index.js';
import { Handshakes } from './handshakes.js';
import { type ConnectionOptions, Http1Connections } from './http1-connections.js';
import { Http2Sessions } from './http2-sessions.js';
import { defaultLimits, type HttpLimits } from './limits.js';
import { peerOf, readAuthorities } from './peer-certificate.js';
import { UnsentAnswers } from './unsent-answers.js';

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

/**
 * HTTPS with HTTP/2 and HTTP/1.1 on one port, chosen by ALPN. One TLS listener serves HTTP/1.1 itself and hands
 * sockets that chose `h2` to the HTTP/2 session layer, so that neither protocol passes through the other's adapter.
 */
export function createHttpsServer(options: HttpsServerOptions): HttpsServer {
  const limits: HttpLimits = { ...defaultLimits, ...options.limits };
  const server = createListener(options.tls, limits);
  const authorities = readAuthorities(options.tls.clientCertificateAuthorities);
  const sockets = new Set<{ destroy(): unknown }>();
  let draining = false;
  let closed: Promise<void> | undefined;
  const connectionOptions: ConnectionOptions = {
    limits,
    unsent: new UnsentAnswers(limits.answerTimeout, limits.maxUnsentBytes),
    handle: inTurn(options.handler),
    isDraining: () => draining,
  };
  const sessions = new Http2Sessions(connectionOptions);
  const connections = new Http1Connections(server, connectionOptions);
  const handshakes = authorities.length === 0 ? undefined : guardHandshakes(server, limits);
  server.on('secureConnection', (socket: TLSSocket) => {
    socket.on('error', () => socket.destroy());
    const { remoteAddress = '' } = handshakes?.current ?? socket;
    const peer = peerOf(socket, remoteAddress, authorities);
    handshakes?.current?.secured();
    (socket.alpnProtocol === 'h2' ? sessions : connections).serve(socket, peer);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  return {
    listen: (address, port) => listen(server, address, port),
    close: async ({ drainMs }) => {
      draining = true;
      closed ??= new Promise((resolve) => {
        server.close(() => resolve());
      });
      sessions.close();
      const timer = setTimeout(() => {
        sessions.destroy();
        for (const socket of sockets) socket.destroy();
      }, drainMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

function createListener(tls: HttpsServerOptions['tls'], limits: HttpLimits): Server {
  const { certificate, privateKey, clientCertificateAuthorities } = tls;
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
  return server;
}

/** The server's own listeners of connections see guarded ones. */
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

function listen(server: Server, address: string, port: number): Promise<{ readonly port: number }> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: address, port }, () => {
      server.off('error', reject);
      resolve({ port: (server.address() as AddressInfo).port });
    });
  });
}

/** Hundreds of requests can come in one turn of the loop, which others need too. */
function inTurn(handler: (exchange: Exchange) => void): (exchange: Exchange) => void {
  return (exchange) => {
    if (!isTurnOver()) {
      handler(exchange);
      return;
    }
    void nextTurn().then(() => {
      if (!exchange.signal.aborted) handler(exchange);
    });
  };
}
