import { createHash } from 'node:crypto';
import { openingAnswer } from '@binnacle/apimachinery/websocket';
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
    const handshake = validateHandshake(this.headers);
    if (this.#isRefused(handshake)) return undefined;
    const { WebSocketServer } = await import('ws');
    if (!this.#isThere()) return deadStream;
    const server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      autoPong: false,
      maxPayload: MAX_IGNORED_BYTES,
      ...newerOptions,
    });
    const { headers } = this.request;
    if (handshake.protocol === undefined) delete headers['sec-websocket-protocol'];
    else headers['sec-websocket-protocol'] = handshake.protocol;
    let opened: WebSocketStream | undefined;
    server.handleUpgrade(this.request, this.socket, this.head, (webSocket) => {
      opened = new WebSocketStream(webSocket, this.socket);
    });
    if (opened === undefined) this.socket.destroy();
    this.#opened = opened;
    return opened ?? deadStream;
  }

  async open(protocols: readonly string[], isProtocolOptional = false): Promise<WebSocketMessages | undefined> {
    const handshake = negotiateHandshake(this.headers, protocols, isProtocolOptional);
    if (this.#isRefused(handshake) || !this.#isThere()) return undefined;
    const { protocol } = handshake;
    this.socket.write(openingAnswer(this.headers['sec-websocket-key'] ?? '', protocol, sha1));
    const messages = new MessageSocket(this.socket, this.head, protocol ?? '');
    this.#opened = messages;
    return messages;
  }

  #isRefused(handshake: AcceptedHandshake | RefusedHandshake): handshake is RefusedHandshake {
    if (!('status' in handshake)) return false;
    this.respond(handshake.status, handshake.headers, handshake.text);
    return true;
  }

  /** Takes the connection out of HTTP, unless the client has left. */
  #isThere(): boolean {
    if (this.answered || this.socket.destroyed) return false;
    // The socket has already emitted its end, for which nothing could wait.
    if (this.socket.readableEnded) {
      this.socket.destroy();
      return false;
    }
    this.release();
    this.socket.once('close', () => this.clientLeft());
    return true;
  }

  override destroy(): void {
    if (this.#opened === undefined) super.destroy();
    else this.#opened.destroy();
  }
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}

/** Options that the types of the library lack. */
const newerOptions = {
  closeTimeout: CLOSE_MS,
  maxFragments: MAX_FRAGMENTS,
  maxBufferedChunks: MAX_BUFFERED_CHUNKS,
};
