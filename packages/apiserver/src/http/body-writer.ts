import type { OutgoingHttpHeaders } from 'node:http';
import type { PiecewiseBody, ResponseHeaders, ResponseStream } from '../request/index.js';
import { isTurnOver, Pauses } from '../slices/index.js';

/** The writable side of an exchange over HTTP/1.1 (Node.js' `ServerResponse`) or HTTP/2. */
export interface BodySink {
  readonly destroyed: boolean;
  /** Bytes that wait. */
  readonly writableLength: number;
  /** Whether `drain` will be emitted. */
  readonly writableNeedDrain: boolean;
  /** Calls `done` when the memory of the chunk can be reused. Returns false when the caller should wait for `drain`. */
  write(chunk: Uint8Array | string, done?: (error?: Error | null) => void): boolean;
  end(): unknown;
  once(event: 'drain' | 'close', listener: () => void): unknown;
  off(event: 'drain' | 'close', listener: () => void): unknown;
}

/** The headers in the form that Node.js accepts. Node.js changes none of the values. */
export function outgoingHeaders(headers: ResponseHeaders, contentLength?: number): OutgoingHttpHeaders {
  const outgoing: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    outgoing[name] = typeof value === 'string' ? value : [...value];
  }
  if (contentLength !== undefined) outgoing['content-length'] = contentLength;
  return outgoing;
}

/**
 * Sends a body piece by piece as the client reads it, and ends the answer. A client that does not read costs one piece, TLS
 * and HTTP/2 buffers included. Calls `sent` with the size of each piece. Settles with the last piece, or when the client
 * leaves. Rejects when a piece cannot be made.
 */
export async function sendPieces(sink: BodySink, body: PiecewiseBody, sent: (bytes: number) => void): Promise<void> {
  let settle: (taken: boolean) => void = () => undefined;
  const onClose = (): void => settle(false);
  // The callback means that the memory of the piece can be reused.
  const taken = (piece: Uint8Array): Promise<boolean> =>
    new Promise((resolve) => {
      settle = resolve;
      sink.write(piece, (error) => resolve(error === undefined || error === null));
    });
  sink.once('close', onClose);
  const pauses = new Pauses();
  try {
    for (const piece of body.pieces()) {
      if (sink.destroyed) return;
      sent(piece.length);
      if (piece.length > 0 && !(await taken(piece))) return;
      if (isTurnOver()) await pauses.next();
    }
    sink.end();
  } finally {
    sink.off('close', onClose);
  }
}

export class SinkStream implements ResponseStream {
  readonly #sink: BodySink;
  readonly #sent: ((bytes: number) => void) | undefined;
  readonly #destroy: () => void;
  #ended = false;

  /** Calls `sent` for all bytes; without it the body is dropped, as for HEAD. `destroy` breaks the answer off. */
  constructor(sink: BodySink, sent: ((bytes: number) => void) | undefined, destroy: () => void) {
    this.#sink = sink;
    this.#sent = sent;
    this.#destroy = destroy;
  }

  get pendingBytes(): number {
    return this.#sink.writableLength;
  }

  write(chunk: Uint8Array | string): boolean {
    if (this.#ended || this.#sink.destroyed) return false;
    if (this.#sent === undefined) return true;
    this.#sent(typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length);
    return this.#sink.write(chunk);
  }

  /** Copies no large chunk, so that slow clients share the memory of a chunk that all of them wait for. */
  writeAll(chunks: readonly Uint8Array[]): boolean {
    let takesMore = true;
    for (const chunk of withSmallJoined(chunks)) takesMore = this.write(chunk);
    return takesMore;
  }

  drained(): Promise<void> {
    const sink = this.#sink;
    if (sink.destroyed) return Promise.reject(clientGone());
    if (!sink.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const onDrain = (): void => {
        sink.off('close', onClose);
        resolve();
      };
      const onClose = (): void => {
        sink.off('drain', onDrain);
        reject(clientGone());
      };
      sink.once('drain', onDrain);
      sink.once('close', onClose);
    });
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (!this.#sink.destroyed) this.#sink.end();
  }

  destroy(): void {
    this.#ended = true;
    this.#destroy();
  }
}

/** While they wait, smaller chunks take as much memory apart as their joined copy. */
const SMALL_CHUNK_BYTES = 2 * 1024;

/** The same bytes, with adjacent small chunks joined. Large ones are not copied. */
export function* withSmallJoined(chunks: readonly Uint8Array[]): Generator<Uint8Array> {
  let small: Uint8Array[] = [];
  for (const chunk of chunks) {
    if (chunk.length < SMALL_CHUNK_BYTES) {
      small.push(chunk);
      continue;
    }
    if (small.length > 0) yield joined(small);
    small = [];
    yield chunk;
  }
  if (small.length > 0) yield joined(small);
}

/** The bytes of all chunks; of a single one, without a copy. */
export function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
}

/** The stream of a request whose answer cannot be sent. */
export const deadStream: ResponseStream = {
  pendingBytes: 0,
  write: () => false,
  writeAll: () => false,
  drained: () => Promise.reject(clientGone()),
  end: () => undefined,
  destroy: () => undefined,
};

/** Shared by all exchanges: each exchange that ends aborts its signal, and creating an error captures a stack. */
const gone = new DOMException('the client has gone', 'AbortError');

export function clientGone(): DOMException {
  return gone;
}
