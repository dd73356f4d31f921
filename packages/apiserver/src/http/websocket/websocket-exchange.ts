import type { WebSocket } from 'ws';
import type { Exchange, ResponseStream, WebSocketMessages, WebSocketUpgrade } from '../../request/index.js';
import { deadStream } from '../body-writer.js';
import { UpgradeExchange } from '../upgrade-exchange.js';
import { MessageSocket } from './message-socket.js';
import {
  type AcceptedHandshake,
  negotiateHandshake,
  type RefusedHandshake,
  validateHandshake,
} from './websocket-handshake.js';
import { WebSocketStream } from './websocket-stream.js';

/** The largest message of a client whose messages are ignored. */
const MAX_IGNORED_BYTES = 64 * 1024;
/** The largest message of a client whose messages are read. kubectl's have 32 KiB. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
const MAX_FRAGMENTS = 64;
const MAX_BUFFERED_CHUNKS = 1024;
/** How long closing may take, until the client has read everything and closed its side. */
const CLOSE_MS = 5000;

/**
 * A request to become a WebSocket. The handler accepts that, or answers like any other request; then the connection ends
 * after the answer. It owns the socket, which the HTTP server has released.
 */
export class WebSocketExchange extends UpgradeExchange implements Exchange, WebSocketUpgrade {
  #opened: { destroy(): void } | undefined = undefined;

  get webSocket(): WebSocketUpgrade {
    return this;
  }

  async accept(): Promise<ResponseStream | undefined> {
    const opened = await this.#upgrade(validateHandshake(this.headers), MAX_IGNORED_BYTES);
    if (opened === 'refused') return undefined;
    if (opened === undefined) return deadStream;
    const stream = new WebSocketStream(opened, this.socket);
    this.#opened = stream;
    return stream;
  }

  async open(protocols: readonly string[], isProtocolOptional = false): Promise<WebSocketMessages | undefined> {
    const handshake = negotiateHandshake(this.headers, protocols, isProtocolOptional);
    const opened = await this.#upgrade(handshake, MAX_MESSAGE_BYTES);
    if (opened === 'refused' || opened === undefined) return undefined;
    const messages = new MessageSocket(opened, this.socket);
    this.#opened = messages;
    return messages;
  }

  /** Undefined if the client has left. */
  async #upgrade(
    handshake: AcceptedHandshake | RefusedHandshake,
    maxPayload: number,
  ): Promise<WebSocket | 'refused' | undefined> {
    if ('status' in handshake) {
      this.respond(handshake.status, handshake.headers, handshake.text);
      return 'refused';
    }
    const { WebSocketServer } = await import('ws');
    if (this.answered || this.socket.destroyed) return undefined;
    // The socket has already emitted its end, for which the library would wait.
    if (this.socket.readableEnded) {
      this.socket.destroy();
      return undefined;
    }
    this.release();
    const server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      autoPong: false,
      maxPayload,
      ...newerOptions,
    });
    const { headers } = this.request;
    if (handshake.protocol === undefined) delete headers['sec-websocket-protocol'];
    else headers['sec-websocket-protocol'] = handshake.protocol;
    let opened: WebSocket | undefined;
    server.handleUpgrade(this.request, this.socket, this.head, (webSocket) => {
      opened = webSocket;
      webSocket.once('close', () => this.clientLeft());
    });
    if (opened === undefined) this.socket.destroy();
    return opened;
  }

  override destroy(): void {
    if (this.#opened === undefined) super.destroy();
    else this.#opened.destroy();
  }
}

/** Options that the types of the library lack. */
const newerOptions = {
  closeTimeout: CLOSE_MS,
  maxFragments: MAX_FRAGMENTS,
  maxBufferedChunks: MAX_BUFFERED_CHUNKS,
};
