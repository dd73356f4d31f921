import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { ResponseStream } from '../../request/index.js';
import { clientGone } from '../body-writer.js';

const NORMAL_CLOSURE = 1000;

/** An open WebSocket as a stream: each write is one text message. Messages of the client are ignored. */
export class WebSocketStream implements ResponseStream {
  readonly #webSocket: WebSocket;
  readonly #socket: Duplex;
  #ended = false;

  constructor(webSocket: WebSocket, socket: Duplex) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    webSocket.on('error', ignore);
    // Otherwise the pongs for a client that sends pings and does not read would accumulate.
    webSocket.on('ping', (data) => {
      if (this.#isOpen && !socket.writableNeedDrain) webSocket.pong(data, false, ignore);
    });
  }

  get #isOpen(): boolean {
    return this.#webSocket.readyState === this.#webSocket.OPEN;
  }

  get pendingBytes(): number {
    return this.#webSocket.bufferedAmount;
  }

  write(chunk: Uint8Array | string): boolean {
    if (this.#ended || !this.#isOpen) return false;
    this.#webSocket.send(chunk, { binary: false }, ignore);
    return !this.#socket.writableNeedDrain;
  }

  writeAll(chunks: readonly Uint8Array[]): boolean {
    let takesMore = true;
    for (const chunk of chunks) takesMore = this.write(chunk);
    return takesMore;
  }

  drained(): Promise<void> {
    const socket = this.#socket;
    if (this.#ended || !this.#isOpen || socket.destroyed) return Promise.reject(clientGone());
    if (!socket.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const onDrain = (): void => {
        socket.off('close', onClose);
        resolve();
      };
      const onClose = (): void => {
        socket.off('drain', onDrain);
        reject(clientGone());
      };
      socket.once('drain', onDrain);
      socket.once('close', onClose);
    });
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#webSocket.close(NORMAL_CLOSURE);
  }

  destroy(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#webSocket.terminate();
  }
}

/** Ignores errors: each of them also closes the socket, which is handled. */
function ignore(): void {}
