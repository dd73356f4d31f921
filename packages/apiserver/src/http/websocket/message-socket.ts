import type { Duplex } from 'node:stream';
import { type MessagePart, WebSocketConnection } from '@binnacle/apimachinery/websocket';
import type { WebSocketMessages } from '../../request/index.js';
import { clientGone } from '../body-writer.js';
import { linger } from '../linger.js';

/** How long closing may take, until the client has read everything and closed its side. */
const CLOSE_MS = 5000;

/** An open WebSocket whose messages a handler reads and writes. */
export class MessageSocket implements WebSocketMessages {
  readonly protocol: string;
  readonly #connection: WebSocketConnection;

  /** `head`: what the client has sent behind its handshake. */
  constructor(socket: Duplex, head: Buffer, protocol: string) {
    this.protocol = protocol;
    this.#connection = new WebSocketConnection(socket, { head, onClosing: () => linger(socket, CLOSE_MS) });
  }

  [Symbol.asyncIterator](): AsyncIterator<MessagePart> {
    return this.#connection[Symbol.asyncIterator]();
  }

  async send(message: Uint8Array | string): Promise<void> {
    if (!(await this.#connection.send(message))) throw clientGone();
  }

  close(): void {
    this.#connection.close();
  }

  destroy(): void {
    this.#connection.destroy();
  }
}
