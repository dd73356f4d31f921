import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Exchange } from '../request/index.js';
import type { Connection } from './client-of.js';
import { Http1Exchange } from './http1-exchange.js';
import type { HttpLimits } from './limits.js';
import { PacedReading } from './paced-reading.js';
import { refuseUnparsed } from './parse-refusal.js';
import type { Peer } from './tls/peer-certificate.js';
import { Pipeline, type WaitingRequests } from './pipeline.js';
import { type HeadProblem, headProblem } from './request-head.js';
import type { UnfinishedHead, UnfinishedHeads } from './unfinished-heads.js';
import type { UnsentAnswers } from './unsent-answers.js';
import { acceptUpgrades } from './upgrade.js';

export interface ConnectionOptions {
  readonly limits: HttpLimits;
  /** Short answers that clients have not read yet. */
  readonly unsent: UnsentAnswers;
  readonly heads: UnfinishedHeads;
  readonly handle: (exchange: Exchange, connection: Connection) => void;
  /** The server is shutting down. */
  readonly isDraining: () => boolean;
}

interface ServedConnection {
  readonly connection: Connection;
  readonly peer: () => Peer;
  readonly reading: PacedReading;
  readonly pipeline: Pipeline;
  readonly head: UnfinishedHead;
}

/** The headers of an answer that refuses a request before it reaches a handler. */
export const REFUSAL_HEADERS = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' };
const unknownPeer: Peer = {
  certificate: undefined,
  certificateError: undefined,
  proxyCertificate: undefined,
  address: '',
};

/** The HTTP/1.1 connections of a server. Handles the server's connection and request events. */
export class Http1Connections {
  readonly #options: ConnectionOptions;
  readonly #connections = new WeakMap<Duplex, ServedConnection>();
  readonly #waiting: WaitingRequests;
  readonly #parse: (socket: Duplex) => void;

  constructor(server: Server, options: ConnectionOptions) {
    this.#options = options;
    this.#waiting = { count: 0, maximum: options.limits.maxWaitingRequests };
    const parsers = server.listeners('secureConnection');
    server.removeAllListeners('secureConnection');
    this.#parse = (socket) => {
      for (const parser of parsers) parser.call(server, socket);
    };
    server.on('request', (request, response) => this.#enter(request, response, false));
    server.on('checkContinue', (request, response) => this.#enter(request, response, true));
    server.on('clientError', (error, socket) => this.#refuse(error, socket));
    acceptUpgrades(server, {
      isSound: (request) => this.#problemOf(request) === undefined,
      begin: (request, exchange) => this.#begin(request, exchange),
      unsent: options.unsent,
      leave: (socket, take) => {
        const connection = this.#connections.get(socket);
        const rest = connection?.reading.stop();
        connection?.pipeline.leave(() => take(rest ?? Buffer.alloc(0)));
      },
      peerOf: (socket) => this.#peerOf(socket),
      serveAgain: (socket) => {
        const { peer = () => unknownPeer } = this.#connections.get(socket) ?? {};
        this.serve(socket, peer, this.#connectionOf(socket));
      },
    });
  }

  /** `peer`: called for each request. */
  serve(socket: Duplex, peer: () => Peer, connection: Connection): void {
    // A client may end its side after its last request. Node.js would then end ours at once, and drop the answer.
    socket.allowHalfOpen = true;
    const mayEnd = (): boolean => !pipeline.isAnswering;
    const head = this.#options.heads.of(() => socket.destroy());
    const onRead = (bytes: number): void => {
      if (!pipeline.isServing) head.add(bytes);
    };
    const reading = new PacedReading(socket, () => this.#parse(socket), mayEnd, onRead);
    socket.once('close', () => head.end());
    const pipeline = new Pipeline(socket, reading, this.#waiting);
    this.#connections.set(socket, { connection, peer, reading, pipeline, head });
  }

  #enter(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void {
    const { limits, unsent, isDraining } = this.#options;
    const { socket } = request;
    const { bodyTimeout, halfClosedTimeout } = limits;
    const exchangeOptions = { bodyTimeout, halfClosedTimeout, expectsContinue, unsent, isDraining };
    const connection = this.#connections.get(socket);
    connection?.head.end();
    connection?.pipeline.enter(response, () => {
      this.#begin(request, new Http1Exchange(request, response, this.#peerOf(socket), exchangeOptions));
    });
  }

  /** Also handles errors before the first HTTP request and during an answer. */
  #refuse(error: Error, socket: Duplex): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined || connection.pipeline.hasAnswer || !socket.writable) {
      socket.destroy(error);
      return;
    }
    // The parser fails again for each further piece.
    connection.reading.stop();
    refuseUnparsed(error, socket);
  }

  #begin(request: IncomingMessage, exchange: Exchange): void {
    const problem = this.#problemOf(request);
    if (problem === undefined) this.#options.handle(exchange, this.#connectionOf(request.socket));
    else exchange.respond(problem.status, REFUSAL_HEADERS, problem.text);
  }

  #problemOf(request: IncomingMessage): HeadProblem | undefined {
    return headProblem(request, this.#options.limits.maxHeaderLines);
  }

  #connectionOf(socket: Duplex): Connection {
    return this.#connections.get(socket)?.connection ?? { client: undefined };
  }

  #peerOf(socket: Duplex): Peer {
    return this.#connections.get(socket)?.peer() ?? unknownPeer;
  }
}
