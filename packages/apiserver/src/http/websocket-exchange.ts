import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Exchange, ResponseStream, WebSocketUpgrade } from '../request/index.js';
import { deadStream } from './body-writer.js';
import { Http1Exchange } from './http1-exchange.js';
import type { Peer } from './peer-certificate.js';
import type { UnsentAnswers } from './unsent-answers.js';
import { validateHandshake } from './websocket-handshake.js';
import { WebSocketStream } from './websocket-stream.js';
import { linger } from './linger.js';

/** The HTTP status of an opened WebSocket. */
const SWITCHING_PROTOCOLS = 101;
/** The largest message of a client. Messages of clients are ignored. */
const MAX_MESSAGE_BYTES = 64 * 1024;
const MAX_FRAGMENTS = 64;
const MAX_BUFFERED_CHUNKS = 1024;
/** How long closing may take, until the client has read everything and closed its side. */
const CLOSE_MS = 5000;

/**
 * A request to become a WebSocket. The handler accepts that, or answers like any other request; then the connection ends
 * after the answer. It owns the socket, which the HTTP server has released.
 */
export class WebSocketExchange extends Http1Exchange implements Exchange, WebSocketUpgrade {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #socket: Duplex;
  readonly #head: Buffer;
  #stream: WebSocketStream | undefined = undefined;

  constructor(request: IncomingMessage, socket: Duplex, head: Buffer, peer: Peer, unsent: UnsentAnswers) {
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    super(request, response, peer, { bodyTimeout: 0, expectsContinue: false, unsent, isDraining: () => true });
    this.#request = request;
    this.#response = response;
    this.#socket = socket;
    this.#head = head;
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

  get webSocket(): WebSocketUpgrade {
    return this;
  }

  protected override get isOver(): boolean {
    return this.#socket.destroyed || super.isOver;
  }

  async accept(): Promise<ResponseStream | undefined> {
    const handshake = validateHandshake(this.headers);
    if ('status' in handshake) {
      this.respond(handshake.status, handshake.headers, handshake.text);
      return undefined;
    }
    const { WebSocketServer } = await import('ws');
    if (this.answered || this.#socket.destroyed) return deadStream;
    // The socket has already emitted its end, for which the library would wait.
    if (this.#socket.readableEnded) return this.#giveUp();
    this.markAnswered(SWITCHING_PROTOCOLS);
    this.#response.detachSocket(this.#request.socket);
    const server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      autoPong: false,
      maxPayload: MAX_MESSAGE_BYTES,
      ...newerOptions,
    });
    const { headers } = this.#request;
    if (handshake.protocol === undefined) delete headers['sec-websocket-protocol'];
    else headers['sec-websocket-protocol'] = handshake.protocol;
    server.handleUpgrade(this.#request, this.#socket, this.#head, (webSocket) => {
      this.#stream = new WebSocketStream(webSocket, this.#socket);
      webSocket.once('close', () => this.clientLeft());
    });
    return this.#stream ?? this.#giveUp();
  }

  #giveUp(): ResponseStream {
    this.#socket.destroy();
    return deadStream;
  }

  override destroy(): void {
    if (this.#stream === undefined) super.destroy();
    else this.#stream.destroy();
  }
}

/** Options that the types of the library lack. */
const newerOptions = {
  closeTimeout: CLOSE_MS,
  maxFragments: MAX_FRAGMENTS,
  maxBufferedChunks: MAX_BUFFERED_CHUNKS,
};
