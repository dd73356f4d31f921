import {
  constants,
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type ServerOptions,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { ConnectionOptions } from './http1-connections.js';
import { Http2Exchange } from './http2-exchange.js';
import type { HttpLimits } from './limits.js';
import type { Peer } from './tls/peer-certificate.js';
import { type SessionTraffic, SessionTraffics } from './session-traffic.js';

function ignore(): void {}

/** The HTTP/2 connections of a server. */
export class Http2Sessions {
  readonly #options: ConnectionOptions;
  readonly #sessionOptions: ServerOptions;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #traffics = new SessionTraffics();

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#sessionOptions = http2Options(options.limits);
  }

  serve(socket: TLSSocket, peer: Peer): void {
    const { limits, isDraining } = this.#options;
    const session = performServerHandshake(socket, this.#sessionOptions);
    session.setLocalWindowSize(limits.streamWindow * limits.maxConcurrentStreams);
    const traffic = this.#traffics.add(session, socket);
    this.#sessions.add(session);
    session.once('close', () => {
      this.#sessions.delete(session);
      this.#traffics.delete(session);
      // Node does not stop the idle timer, which retains the session until it fires. Without listeners it does not retain the server.
      session.removeAllListeners();
      session.on('error', ignore);
    });
    session.on('error', () => session.destroy());
    session.setTimeout(limits.idleTimeout, () => {
      if (traffic.openStreams === 0) session.destroy();
    });
    this.#serveStreams(session, traffic, peer);
    if (isDraining()) session.close();
  }

  #serveStreams(session: ServerHttp2Session, traffic: SessionTraffic, peer: Peer): void {
    const { limits, unsent, handle } = this.#options;
    const received = (bytes: number): void => traffic.received(bytes);
    const exchangeOptions = { bodyTimeout: limits.bodyTimeout, unsent, received };
    session.on(
      'stream',
      (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags: number, rawHeaders: string[]) => {
        // A reset by the client is an error event, and so is a session that breaks right after the request. Without a
        // listener, they end the process.
        stream.on('error', ignore);
        traffic.opened(rawHeaders.reduce((size, text) => size + text.length, 0));
        stream.once('close', () => traffic.closed(stream.rstCode !== constants.NGHTTP2_NO_ERROR));
        if (!session.destroyed) handle(new Http2Exchange(stream, headers, rawHeaders, peer, exchangeOptions));
      },
    );
  }

  /** Sends GOAWAY to every client. Open requests are still answered. */
  close(): void {
    for (const session of this.#sessions) session.close();
  }

  destroy(): void {
    for (const session of this.#sessions) session.destroy();
  }
}

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
    // In megabytes. Answers wait for the client in pieces, so this backstop is far above the queue of one client.
    // The default of 10 refuses a dozen parallel lists.
    maxSessionMemory: 1000,
  };
}
