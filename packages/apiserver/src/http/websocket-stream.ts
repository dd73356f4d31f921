import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { ResponseStream } from '../request/index.js';
import { clientGone } from './body-writer.js';

const NORMAL_CLOSURE = 1000;

/** An open WebSocket as a stream of which every write is one message of text. What the client says is ignored. */
export class WebSocketStream implements ResponseStream {
  readonly #webSocket: WebSocket;
  readonly #socket: Duplex;
  #ended = false;

  constructor(webSocket: WebSocket, socket: Duplex) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    webSocket.on('error', ignore);
    // A client that asks and does not read would otherwise have its answers pile up.
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

/** Whatever fails also closes the socket, and that is dealt with. */
function ignore(): void {}
