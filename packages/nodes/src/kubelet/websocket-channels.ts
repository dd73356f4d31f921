import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import type { Clock } from '@binnacle/apimachinery/clock';
import { type MessagePart, openingAnswer, WebSocketConnection } from '@binnacle/apimachinery/websocket';
import { Refusal } from './admit.js';

const KEY = /^[+/0-9A-Za-z]{22}==$/;
/** How long closing may take, until the client has read everything and closed its side. */
const CLOSE_MS = 5000;
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

/** Upgrades a connection. Throws a {@link Refusal} if the handshake is invalid. */
export function webSocketOn(
  { headers }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  { protocol, clock }: { readonly protocol: string; readonly clock: Clock },
): WebSocketConnection {
  const key = headers['sec-websocket-key'] ?? '';
  if (!KEY.test(key) || headers['sec-websocket-version'] !== '13')
    throw new Refusal(400, 'invalid WebSocket handshake');
  socket.write(openingAnswer(key, protocol, (text) => createHash('sha1').update(text).digest('base64')));
  const onClosing = (): void => {
    const timer = clock.setTimer(() => socket.destroy(), CLOSE_MS).unref();
    socket.once('close', () => timer[Symbol.dispose]());
  };
  return new WebSocketConnection(socket, { head, onClosing });
}

/**
 * Streams in the messages of a WebSocket, whose first byte is the number of the channel. A channel that is not read stops
 * reading the whole connection. All channels end with it. Upstream: `wsstream.Conn`.
 */
export class WebSocketChannels {
  readonly channels: readonly Duplex[];
  readonly #connection: WebSocketConnection;
  /** Channels whose input the client has ended. */
  readonly #ended = new Set<Duplex>();
  readonly #gone = new AbortController();
  #goOn: () => void = () => undefined;

  constructor(connection: WebSocketConnection, count: number) {
    this.#connection = connection;
    this.channels = Array.from({ length: count }, (_, number) => this.#channel(number));
    void this.#receiveAll();
    void connection.closed.then(() => {
      this.#gone.abort(new Error('the client has gone'));
      this.#goOn();
    });
  }

  /** Fires when the connection is closed. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Says goodbye. */
  close(): void {
    this.#connection.close();
    this.#goOn();
  }

  async #receiveAll(): Promise<void> {
    let channel: Duplex | undefined;
    for await (const part of this.#connection) {
      const [number = CLOSE, closing = CLOSE] = part.bytes;
      if (part.isFirst && isClosing(part)) {
        this.#end(this.channels[closing]);
        continue;
      }
      if (part.isFirst) channel = this.channels[number];
      await this.#receive(channel, part.isFirst ? part.bytes.subarray(1) : part.bytes);
    }
    for (const each of this.channels) this.#end(each);
  }

  /** Settles when the channel takes more. */
  async #receive(channel: Duplex | undefined, bytes: Buffer): Promise<void> {
    if (channel === undefined || this.#ended.has(channel) || channel.destroyed || bytes.length === 0) return;
    const wanted = new Promise<void>((resolve) => {
      this.#goOn = resolve;
    });
    if (!channel.push(bytes)) await wanted;
  }

  /** Drops the chunk if the client has left. */
  async #send(number: number, chunk: Buffer, sent: () => void): Promise<void> {
    await this.#connection.send(Buffer.concat([Buffer.from([number]), chunk]));
    sent();
  }

  #end(channel: Duplex | undefined): void {
    if (channel === undefined || this.#ended.has(channel)) return;
    this.#ended.add(channel);
    channel.push(null);
  }

  #channel(number: number): Duplex {
    const channel = new Duplex({
      allowHalfOpen: true,
      read: () => this.#goOn(),
      write: (chunk: Buffer, _encoding, callback) => void this.#send(number, chunk, callback),
    });
    channel.on('error', () => undefined);
    channel.once('close', () => this.#goOn());
    return channel;
  }
}

function isClosing({ bytes, isLast }: MessagePart): boolean {
  return isLast && bytes.length === 2 && bytes[0] === CLOSE;
}
