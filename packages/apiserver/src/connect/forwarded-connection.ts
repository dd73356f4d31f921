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
 * The connection to a port of a pod, over a WebSocket to the kubelet that is still opening. A message on the error channel destroys the
 * connection with that error. Its end closes the WebSocket, because a single channel cannot be closed.
 */
export class ForwardedConnection extends Duplex {
  readonly #webSocket: WebSocket;
  readonly #skipped = new Map<number, number>(CHANNELS.map((channel) => [channel, PORT_BYTES]));

  constructor(webSocket: WebSocket) {
    super({ allowHalfOpen: false });
    this.#webSocket = webSocket;
    webSocket.on('error', (error) => this.destroy(error));
    webSocket.on('close', () => this.push(null));
    webSocket.on('message', (data: Buffer) => this.#take(data));
  }

  override _construct(callback: (error?: Error | null) => void): void {
    this.#webSocket.once('open', () => callback());
    this.#webSocket.once('error', callback);
  }

  override _read(): void {
    this.#webSocket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#webSocket.send(Buffer.concat([Buffer.of(DATA), chunk]), callback);
  }

  override _final(callback: (error?: Error | null) => void): void {
    this.#webSocket.close();
    callback();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#webSocket.terminate();
    callback(error);
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
    else if (!this.push(rest)) this.#webSocket.pause();
  }
}
