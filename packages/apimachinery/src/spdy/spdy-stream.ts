import { Duplex } from 'node:stream';
import type { StreamHeaders } from './header-block.js';
import { Settlement } from './settlement.js';
import { SpdyError } from './spdy-error.js';

/** What a connection does for one of its streams. */
export interface StreamOutput {
  /** Sends bytes, or only the end. Calls back when the socket takes more. */
  send(bytes: Buffer, fin: boolean, callback: () => void): void;
  reply(): void;
  reset(refused: boolean): void;
  /** The reader of the stream wants more. */
  wanted(): void;
  /** The stream is over on both sides. */
  removed(): void;
}

/**
 * One stream of a connection. Its writable side ends with `end()`, and its readable side when the peer ends or resets it,
 * or the connection ends. `destroy()` resets it. Bytes that are written before the peer has accepted the stream wait;
 * bytes for a peer that has reset it are dropped.
 */
export class SpdyStream extends Duplex {
  readonly id: number;
  readonly headers: StreamHeaders;
  readonly #output: StreamOutput;
  readonly #accepted = new Settlement();
  #state: 'opening' | 'open' | 'over' = 'opening';
  #finSent = false;
  #finReceived = false;

  constructor(id: number, headers: StreamHeaders, output: StreamOutput) {
    super({ allowHalfOpen: true, autoDestroy: true, emitClose: true });
    this.id = id;
    this.headers = headers;
    this.#output = output;
  }

  /** Settles when the stream has been accepted; rejects with a {@link SpdyError} when it never will be. */
  get accepted(): Promise<void> {
    return this.#accepted.promise;
  }

  /** Whether the peer may send more. */
  get isReceiving(): boolean {
    return !this.#finReceived;
  }

  /** Accepts a stream that the peer has opened. */
  accept(): void {
    if (this.#state !== 'opening') return;
    this.#output.reply();
    this.opened();
  }

  /** Refuses a stream that the peer has opened. */
  refuse(): void {
    if (this.#state === 'over') return;
    this.#output.reset(true);
    this.over();
    this.destroy();
  }

  /** The connection calls this when the peer has accepted the stream. */
  opened(): void {
    if (this.#state !== 'opening') return;
    this.#state = 'open';
    this.#accepted.resolve();
  }

  /** The connection calls this with received bytes. Returns whether the stream takes more. */
  received(bytes: Buffer): boolean {
    if (this.#finReceived || this.destroyed || bytes.length === 0) return true;
    return this.push(bytes);
  }

  /** The connection calls this when the peer has ended its side. */
  receivedEnd(): void {
    if (this.#finReceived) return;
    this.#finReceived = true;
    if (!this.destroyed) this.push(null);
  }

  /** The connection calls this when the peer has reset the stream, or the connection has ended. */
  over(): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    this.#accepted.reject(new SpdyError('the stream was reset'));
    this.receivedEnd();
    this.#output.removed();
    if (this.readableEnded) this.destroy();
    else this.once('end', () => this.destroy());
  }

  override _read(): void {
    this.#output.wanted();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    this.#whenOpen(() => this.#output.send(chunk, false, callback), callback);
  }

  override _final(callback: () => void): void {
    this.#whenOpen(() => {
      this.#finSent = true;
      this.#output.send(Buffer.alloc(0), true, callback);
    }, callback);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    if (this.#state !== 'over') {
      this.#state = 'over';
      if (!this.#finSent || !this.#finReceived) this.#output.reset(false);
      this.#accepted.reject(new SpdyError('the stream was reset'));
      this.#output.removed();
    }
    callback(error);
  }

  #whenOpen(send: () => void, drop: () => void): void {
    if (this.#state === 'open') send();
    else if (this.#state === 'over') drop();
    else {
      this.accepted.then(
        () => (this.#state === 'open' ? send() : drop()),
        () => drop(),
      );
    }
  }
}
