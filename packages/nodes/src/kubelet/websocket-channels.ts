import type { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { Refusal } from './admit.js';

const MAX_MESSAGE = 1 << 20;
/** The channel on which version 5 says which other one ends. */
const CLOSE = 255;

/** The first of these sub-protocols that the client offers. Throws a {@link Refusal} if it offers none. */
export function negotiated({ headers }: IncomingMessage, supported: readonly string[]): string {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const found = supported.find((name) => offered.includes(name));
  if (found !== undefined) return found;
  const [client, server] = [offered, supported].map((names) => `[${names.join(' ')}]`);
  throw new Refusal(400, `requested protocol(s) are not supported: ${client}; supports ${server}`);
}

/** Upgrades a connection. Undefined: the handshake has failed, and its answer is sent. */
export async function webSocketOn(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  protocol: string,
): Promise<WebSocket | undefined> {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE,
    handleProtocols: () => protocol,
  });
  const closed = new Promise<undefined>((resolve) => socket.once('close', () => resolve(undefined)));
  const opened = new Promise<WebSocket>((resolve) => server.handleUpgrade(request, socket, head, resolve));
  return Promise.race([opened, closed]);
}

/**
 * Streams in the messages of a WebSocket, whose first byte is the number of the channel. A channel that is not read stops
 * reading the whole connection. All channels end with it. Upstream: `wsstream.Conn`.
 */
export class WebSocketChannels {
  readonly channels: readonly Duplex[];
  readonly #socket: WebSocket;
  readonly #stalled = new Set<number>();
  /** Channels whose input the client has ended. */
  readonly #ended = new Set<number>();
  readonly #gone = new AbortController();

  constructor(socket: WebSocket, count: number) {
    this.#socket = socket;
    this.channels = Array.from({ length: count }, (_, number) => this.#channel(number));
    socket.binaryType = 'nodebuffer';
    socket.on('error', () => undefined);
    socket.on('message', (data) => {
      if (data instanceof Buffer) this.#receive(data);
    });
    socket.once('close', () => {
      this.#gone.abort(new Error('the client has gone'));
      for (const channel of this.channels) channel.push(null);
    });
  }

  /** Fires when the connection is closed. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Says goodbye. */
  close(): void {
    this.#socket.close(1000);
  }

  #receive(data: Buffer): void {
    const [number = CLOSE, closing = CLOSE] = data;
    if (number === CLOSE && data.length === 2) {
      this.#ended.add(closing);
      this.channels[closing]?.push(null);
      return;
    }
    const channel = this.channels[number];
    if (channel === undefined || this.#ended.has(number) || channel.destroyed || data.length < 2) return;
    if (channel.push(data.subarray(1))) return;
    this.#stalled.add(number);
    this.#socket.pause();
  }

  #channel(number: number): Duplex {
    const channel = new Duplex({
      allowHalfOpen: true,
      read: () => {
        if (this.#stalled.delete(number) && this.#stalled.size === 0) this.#socket.resume();
      },
      write: (chunk: Buffer, _encoding, callback) => {
        if (this.#socket.readyState !== WebSocket.OPEN) return callback();
        this.#socket.send(Buffer.concat([Buffer.from([number]), chunk]), () => callback());
      },
    });
    channel.on('error', () => undefined);
    return channel;
  }
}
