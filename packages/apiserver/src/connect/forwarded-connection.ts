import { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

const DATA = 0;
const ERRORS = 1;
const CHANNELS = [DATA, ERRORS] as const;
/** Each channel begins with the number of the port. */
const PORT_BYTES = 2;

/** The protocol of a WebSocket that forwards one port. Upstream: kubelet `portforward`, `v4.channel.k8s.io`. */
export const FORWARDING_PROTOCOL = 'v4.channel.k8s.io';

/**
 * The connection to a port of a pod, over a WebSocket to the kubelet that is new and still opening. What the kubelet says on the channel of
 * errors ends it with an error. To end it ends the WebSocket: its channels have no end of their own.
 */
export class ForwardedConnection extends Duplex {
  readonly #opening: Promise<WebSocket>;
  #webSocket: WebSocket | undefined;
  readonly #skipped = new Map<number, number>(CHANNELS.map((channel) => [channel, PORT_BYTES]));

  constructor(opening: Promise<WebSocket>) {
    super({ allowHalfOpen: false });
    this.#opening = opening;
  }

  /** Node.js calls the other methods afterwards, but for `_destroy`. */
  override _construct(callback: (error?: Error | null) => void): void {
    this.#opening.then((webSocket) => this.#attach(webSocket, callback), callback);
  }

  override _read(): void {
    this.#webSocket?.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#webSocket?.send(Buffer.concat([Buffer.of(DATA), chunk]), callback);
  }

  override _final(callback: (error?: Error | null) => void): void {
    this.#webSocket?.close();
    callback();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#webSocket?.terminate();
    callback(error);
  }

  #attach(webSocket: WebSocket, opened: (error?: Error) => void): void {
    this.#webSocket = webSocket;
    webSocket.once('open', () => opened());
    webSocket.once('error', opened);
    webSocket.on('error', (error) => this.destroy(error));
    webSocket.on('close', () => this.push(null));
    webSocket.on('message', (data: Buffer) => this.#take(data));
    if (this.destroyed) webSocket.terminate();
  }

  #take(message: Buffer): void {
    const channel = message[0] ?? -1;
    const skipped = this.#skipped.get(channel);
    if (skipped === undefined) return;
    const content = message.subarray(1);
    this.#skipped.set(channel, Math.max(0, skipped - content.length));
    const rest = content.subarray(skipped);
    if (rest.length === 0) return;
    if (channel === ERRORS) this.destroy(new Error(rest.toString()));
    else if (!this.push(rest)) this.#webSocket?.pause();
  }
}
