import { isTurnOver, Pauses } from '../slices/index.js';
import { SinkStream } from './body-writer.js';
import { PIECE_BYTES } from './piecewise-body.js';

/**
 * The stream of an answer over HTTP/1.1. TLS encrypts each chunk in one step, and keeps a copy until the client reads it. So this stream
 * passes a large chunk on in slices, each when the client has read the one before. Streams that send the same chunk share its memory meanwhile.
 */
export class SlicedStream extends SinkStream {
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  /** Settles when nothing waits any more. */
  #passing: Promise<void> | undefined;
  #isEnding = false;

  override get pendingBytes(): number {
    return super.pendingBytes + this.#waitingBytes;
  }

  override write(chunk: Uint8Array | string): boolean {
    if (this.#isEnding) return false;
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (this.#passing === undefined && bytes.length <= PIECE_BYTES) return super.write(bytes);
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#passing ??= this.#passOn();
    return false;
  }

  override async drained(): Promise<void> {
    await this.#passing;
    await super.drained();
  }

  override end(): void {
    this.#isEnding = true;
    if (this.#passing === undefined) super.end();
  }

  /** Never rejects: `drained` tells that the client has left. */
  async #passOn(): Promise<void> {
    const pauses = new Pauses();
    try {
      for (let slice = this.#nextSlice(); slice !== undefined; slice = this.#nextSlice()) {
        if (isTurnOver()) await pauses.next();
        if (!super.write(slice)) await super.drained();
      }
    } catch {
      this.#waiting = [];
      this.#waitingBytes = 0;
    }
    this.#passing = undefined;
    if (this.#isEnding) super.end();
  }

  #nextSlice(): Uint8Array | undefined {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    const slice = first.subarray(0, PIECE_BYTES);
    this.#waitingBytes -= slice.length;
    if (slice.length === first.length) this.#waiting.shift();
    else this.#waiting[0] = first.subarray(slice.length);
    return slice;
  }
}
