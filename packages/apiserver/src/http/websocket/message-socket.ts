import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { WebSocketMessages } from '../../request/index.js';
import { clientGone } from '../body-writer.js';

const NORMAL_CLOSURE = 1000;

/** An open WebSocket whose messages a handler reads and writes. It reads no further while messages wait. */
export class MessageSocket implements WebSocketMessages {
  readonly protocol: string;
  readonly #webSocket: WebSocket;
  readonly #waiting: Buffer[] = [];
  #wake: () => void = () => undefined;
  #isOver = false;

  constructor(webSocket: WebSocket, socket: Duplex) {
    this.protocol = webSocket.protocol;
    this.#webSocket = webSocket;
    webSocket.binaryType = 'nodebuffer';
    webSocket.on('error', () => undefined);
    webSocket.on('message', (data: Buffer) => this.#receive(data));
    webSocket.once('close', () => this.#end());
    // Otherwise the pongs for a client that sends pings and does not read would accumulate.
    webSocket.on('ping', (data) => {
      if (this.#isOpen && !socket.writableNeedDrain) webSocket.pong(data, false, () => undefined);
    });
  }

  get #isOpen(): boolean {
    return this.#webSocket.readyState === this.#webSocket.OPEN;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (;;) {
      const message = this.#waiting.shift();
      if (message !== undefined) {
        yield message;
        continue;
      }
      if (this.#isOver) return;
      if (this.#webSocket.isPaused) this.#webSocket.resume();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  send(message: Uint8Array | string): Promise<void> {
    if (!this.#isOpen) return Promise.reject(clientGone());
    return new Promise((resolve, reject) => {
      this.#webSocket.send(message, { binary: typeof message !== 'string' }, (error) => {
        if (error === undefined || error === null) resolve();
        else reject(clientGone());
      });
    });
  }

  close(): void {
    this.#webSocket.close(NORMAL_CLOSURE);
    // Messages that still arrive are dropped, so that the client's closure is seen.
    this.#end();
    if (this.#webSocket.isPaused) this.#webSocket.resume();
  }

  destroy(): void {
    this.#webSocket.terminate();
    this.#end();
  }

  #receive(message: Buffer): void {
    if (this.#isOver) return;
    this.#waiting.push(message);
    this.#webSocket.pause();
    this.#wake();
  }

  #end(): void {
    this.#isOver = true;
    this.#wake();
  }
}
