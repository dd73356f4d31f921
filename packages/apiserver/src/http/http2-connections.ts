import type { TLSSocket } from 'node:tls';
import { Http2Connection } from './http2/http2-connection.js';
import type { Http2Stream } from './http2/http2-stream.js';
import { type ConnectionOptions, REFUSAL_HEADERS } from './http1-connections.js';
import type { Connection } from './client-of.js';
import { Http2Exchange } from './http2-exchange.js';
import type { Peer } from './tls/peer-certificate.js';

const CHECK_MS = 1000;

/** The HTTP/2 connections of a server. A timer checks them while there are any. */
export class Http2Connections {
  readonly #options: ConnectionOptions;
  readonly #connections = new Set<Http2Connection>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** `peer`: called for each request. */
  serve(socket: TLSSocket, peer: () => Peer, connection: Connection): void {
    const { limits, heads } = this.#options;
    const begin = (stream: Http2Stream): void => this.#begin(stream, connection, peer());
    const served = new Http2Connection(socket, limits, begin, connection, heads);
    this.#connections.add(served);
    this.#timer ??= setInterval(() => this.#check(), CHECK_MS).unref();
    socket.once('close', () => this.#forget(served));
    if (this.#options.isDraining()) served.close();
  }

  /** Sends GOAWAY to every client. Open requests are still answered. */
  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  destroy(): void {
    for (const connection of this.#connections) connection.destroy();
  }

  #begin(stream: Http2Stream, connection: Connection, peer: Peer): void {
    const { limits, unsent, handle } = this.#options;
    const exchange = new Http2Exchange(stream, peer, { bodyTimeout: limits.bodyTimeout, unsent });
    const { problem } = stream.request;
    if (problem === undefined) handle(exchange, connection);
    else exchange.respond(problem.status, REFUSAL_HEADERS, problem.text);
  }

  #check(): void {
    for (const connection of this.#connections) connection.check();
  }

  #forget(connection: Http2Connection): void {
    this.#connections.delete(connection);
    if (this.#connections.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
