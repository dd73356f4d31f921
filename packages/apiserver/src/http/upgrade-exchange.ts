import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Exchange, ProtocolUpgrade } from '../request/index.js';
import { Http1Exchange } from './http1-exchange.js';
import { defaultLimits } from './limits.js';
import { linger } from './linger.js';
import type { Peer } from './tls/peer-certificate.js';
import type { UnsentAnswers } from './unsent-answers.js';

/** The HTTP status of a changed protocol. */
const SWITCHING_PROTOCOLS = 101;

/**
 * A request for another protocol. The handler takes the connection, or answers like any other request; then the connection
 * ends after the answer. It owns the socket, which the HTTP server has released.
 */
export class UpgradeExchange extends Http1Exchange implements Exchange, ProtocolUpgrade {
  protected readonly request: IncomingMessage;
  protected readonly socket: Duplex;
  /** The bytes that followed the request. */
  protected readonly head: Buffer;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, socket: Duplex, head: Buffer, peer: Peer, unsent: UnsentAnswers) {
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    const { halfClosedTimeout } = defaultLimits;
    // No other request follows on this connection.
    const isDraining = (): boolean => true;
    super(request, response, peer, { bodyTimeout: 0, halfClosedTimeout, expectsContinue: false, unsent, isDraining });
    this.request = request;
    this.socket = socket;
    this.head = head;
    this.#response = response;
    response.assignSocket(request.socket);
    const onDrain = (): void => {
      response.emit('drain');
    };
    socket.on('drain', onDrain);
    response.once('close', () => socket.off('drain', onDrain));
    response.once('finish', () => {
      socket.resume();
      socket.end();
      linger(socket);
    });
  }

  get upgrade(): ProtocolUpgrade {
    return this;
  }

  protected override get isOver(): boolean {
    return this.socket.destroyed || super.isOver;
  }

  take(): { readonly socket: Duplex; readonly head: Buffer } | undefined {
    if (this.answered || this.socket.destroyed) return undefined;
    this.release();
    this.socket.once('close', () => this.clientLeft());
    return { socket: this.socket, head: this.head };
  }

  /** The connection leaves HTTP. */
  protected release(): void {
    this.markAnswered(SWITCHING_PROTOCOLS);
    this.#response.detachSocket(this.request.socket);
  }
}
