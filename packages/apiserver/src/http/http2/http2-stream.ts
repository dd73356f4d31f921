import { EventEmitter } from 'node:events';
import type { BodySink } from '../body-writer.js';
import { INTERNAL_ERROR } from './error-codes.js';
import { encodeResponseHead } from './header-encoder.js';
import { httpDate } from './http-date.js';
import type { Http2Request } from './http2-request.js';
import type { RequestBody } from './request-body.js';
import type { ReceiveWindow } from './receive-window.js';
import { StreamOutput } from './stream-output.js';

/** Above this many waiting bytes, `write` returns false. */
const HIGH_WATER_MARK = 16 * 1024;

/** What a stream needs of its connection. */
export interface StreamOwner {
  /** The stream has something to send. */
  wake(stream: Http2Stream): void;
  /** Resets the stream, with a code of RFC 9113, section 7. */
  reset(stream: Http2Stream, code: number): void;
  /** Ends the connection at once. */
  destroy(): void;
}

export interface StreamOptions {
  readonly id: number;
  readonly request: Http2Request;
  /** Undefined when none follows, or when it is dropped. */
  readonly body: RequestBody | undefined;
  /** Whether the client may still send. */
  readonly isReceiving: boolean;
  /** Bytes of DATA that the client takes. */
  readonly sendWindow: number;
  readonly receiveWindow: ReceiveWindow;
}

/**
 * A request and its answer. Emits `drain` when all that waited is written. Emits `close` once: when both sides have
 * ended, one has reset the stream, or the connection is closed.
 */
export class Http2Stream extends EventEmitter implements BodySink {
  readonly id: number;
  readonly request: Http2Request;
  readonly body: RequestBody | undefined;
  readonly output: StreamOutput;
  /** Kept by the connection. */
  isReceiving: boolean;
  readonly receiveWindow: ReceiveWindow;
  /** Bytes of the body that have arrived. Kept by the connection. */
  receivedBytes = 0;
  readonly #owner: StreamOwner;
  #needsDrain = false;
  #isClosed = false;

  constructor(options: StreamOptions, owner: StreamOwner) {
    super();
    this.id = options.id;
    this.request = options.request;
    this.body = options.body;
    this.isReceiving = options.isReceiving;
    this.receiveWindow = options.receiveWindow;
    this.output = new StreamOutput(options.id, options.sendWindow);
    this.#owner = owner;
  }

  get destroyed(): boolean {
    return this.#isClosed;
  }

  get writableEnded(): boolean {
    return this.output.hasEnded;
  }

  get writableLength(): number {
    return this.output.bytes;
  }

  get writableNeedDrain(): boolean {
    return this.#needsDrain;
  }

  /** Asks the client to send its body. */
  sendContinue(): void {
    this.#sendHead(encodeResponseHead(100, {}));
  }

  /** Sends the head of the answer. */
  respond(status: number, headers: Parameters<typeof encodeResponseHead>[1]): void {
    this.#sendHead(encodeResponseHead(status, { date: httpDate(), ...headers }));
  }

  /** Calls `done` when the socket has written the chunk, and never if the stream closes first. */
  write(chunk: Uint8Array | string, done?: (error?: null) => void): boolean {
    if (this.#isClosed || this.output.hasEnded) return false;
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : asBuffer(chunk);
    if (bytes.length > 0 || done !== undefined) this.output.add(bytes, done);
    this.#needsDrain ||= this.output.bytes >= HIGH_WATER_MARK;
    this.#owner.wake(this);
    return !this.#needsDrain;
  }

  end(chunk?: Uint8Array): void {
    if (this.#isClosed || this.output.hasEnded) return;
    if (chunk !== undefined && chunk.length > 0) this.output.add(asBuffer(chunk), undefined);
    this.output.end();
    this.#owner.wake(this);
  }

  /** Breaks the answer off so that the client notices. */
  destroy(): void {
    this.#owner.reset(this, INTERNAL_ERROR);
  }

  destroyConnection(): void {
    this.#owner.destroy();
  }

  /** Called by the connection when all that waited is written. */
  written(): void {
    if (!this.#needsDrain || this.output.bytes > 0) return;
    this.#needsDrain = false;
    this.emit('drain');
  }

  /** Called by the connection, once. */
  closed(): void {
    this.#isClosed = true;
    this.output.clear();
    this.body?.breakOff();
    process.nextTick(() => this.emit('close'));
  }

  #sendHead(block: Buffer): void {
    if (this.#isClosed) return;
    this.output.addHead(block);
    this.#owner.wake(this);
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
