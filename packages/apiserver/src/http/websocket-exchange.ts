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

/** The status of an opened WebSocket. */
const SWITCHING_PROTOCOLS = 101;
/** Clients have nothing to say, so this much of one message is plenty. */
const MAX_MESSAGE_BYTES = 64 * 1024;
const MAX_FRAGMENTS = 64;
const MAX_BUFFERED_CHUNKS = 1024;
/** How long closing may take: until the client has read the end of what was written, and has closed as well. */
const CLOSE_MS = 5000;

/**
 * A request that asks to go on as a WebSocket. Whoever handles it grants that, or answers it like any other; then the
 * connection ends behind the answer. Owns the socket, which has left the HTTP server.
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
    // Its end has been heard already: the library would wait for it.
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

/** Options that the library's types do not know yet. */
const newerOptions = {
  closeTimeout: CLOSE_MS,
  maxFragments: MAX_FRAGMENTS,
  maxBufferedChunks: MAX_BUFFERED_CHUNKS,
};
