import type { Exchange, ResponseStream, WebSocketUpgrade } from '../../request/index.js';
import { deadStream } from '../body-writer.js';
import { UpgradeExchange } from '../upgrade-exchange.js';
import { validateHandshake } from './websocket-handshake.js';
import { WebSocketStream } from './websocket-stream.js';

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
export class WebSocketExchange extends UpgradeExchange implements Exchange, WebSocketUpgrade {
  #stream: WebSocketStream | undefined = undefined;

  get webSocket(): WebSocketUpgrade {
    return this;
  }

  async accept(): Promise<ResponseStream | undefined> {
    const handshake = validateHandshake(this.headers);
    if ('status' in handshake) {
      this.respond(handshake.status, handshake.headers, handshake.text);
      return undefined;
    }
    const { WebSocketServer } = await import('ws');
    if (this.answered || this.socket.destroyed) return deadStream;
    // The socket has already emitted its end, for which the library would wait.
    if (this.socket.readableEnded) return this.#giveUp();
    this.release();
    const server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      autoPong: false,
      maxPayload: MAX_MESSAGE_BYTES,
      ...newerOptions,
    });
    const { headers } = this.request;
    if (handshake.protocol === undefined) delete headers['sec-websocket-protocol'];
    else headers['sec-websocket-protocol'] = handshake.protocol;
    server.handleUpgrade(this.request, this.socket, this.head, (webSocket) => {
      this.#stream = new WebSocketStream(webSocket, this.socket);
      webSocket.once('close', () => this.clientLeft());
    });
    return this.#stream ?? this.#giveUp();
  }

  #giveUp(): ResponseStream {
    this.socket.destroy();
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
