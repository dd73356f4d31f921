import { ConnectionError, FRAME_SIZE_ERROR, PROTOCOL_ERROR } from './error-codes.js';
import { FRAME_HEAD_BYTES, type Frame } from './frames.js';

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const nothing: Buffer = Buffer.alloc(0);

/** Splits the bytes of one client into frames, after checking its connection preface. */
export class FrameReader {
  readonly #maxFrameSize: number;
  #bytes = nothing;
  #position = 0;
  #prefaceBytes = 0;
  readonly #head = Buffer.alloc(FRAME_HEAD_BYTES);
  #headBytes = 0;
  /** The payload of the current frame, until it has arrived completely. */
  #payload: Buffer | undefined;
  #payloadBytes = 0;

  /** `maxFrameSize`: the largest payload, in bytes. */
  constructor(maxFrameSize: number) {
    this.#maxFrameSize = maxFrameSize;
  }

  /** Adds received bytes, without a copy if all earlier ones have been read. Do not change them afterwards. */
  add(bytes: Buffer): void {
    const rest = this.#bytes.subarray(this.#position);
    this.#bytes = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    this.#position = 0;
  }

  /**
   * The next frame, or undefined until more bytes are added. A payload may share memory with the added bytes. Throws a
   * {@link ConnectionError} for a wrong preface or a payload that is too large.
   */
  next(): Frame | undefined {
    if (!this.#readPreface()) return undefined;
    if (this.#payload === undefined && !this.#begin()) return this.#release();
    const payload = this.#payload ?? nothing;
    this.#payloadBytes += this.#fill(payload, this.#payloadBytes);
    return this.#payloadBytes < payload.length ? this.#release() : this.#end(payload);
  }

  #readPreface(): boolean {
    while (this.#prefaceBytes < PREFACE.length && this.#position < this.#bytes.length) {
      if (this.#bytes[this.#position++] === PREFACE[this.#prefaceBytes++]) continue;
      throw new ConnectionError(PROTOCOL_ERROR, 'the preface is not that of HTTP/2');
    }
    return this.#prefaceBytes === PREFACE.length;
  }

  /** Reads the head. If the whole payload is there, it is not copied. */
  #begin(): boolean {
    this.#headBytes += this.#fill(this.#head, this.#headBytes);
    if (this.#headBytes < FRAME_HEAD_BYTES) return false;
    const length = this.#head.readUIntBE(0, 3);
    if (length > this.#maxFrameSize) throw new ConnectionError(FRAME_SIZE_ERROR, 'a frame is too large');
    const isWhole = this.#position + length <= this.#bytes.length;
    this.#payload = isWhole ? this.#bytes.subarray(this.#position, this.#position + length) : Buffer.alloc(length);
    this.#payloadBytes = isWhole ? length : 0;
    if (isWhole) this.#position += length;
    return true;
  }

  #end(payload: Buffer): Frame {
    this.#payload = undefined;
    this.#headBytes = 0;
    const head = this.#head;
    return {
      type: head.readUInt8(3),
      flags: head.readUInt8(4),
      streamId: head.readUInt32BE(5) & 0x7f_ff_ff_ff,
      payload,
    };
  }

  /** Returns how many bytes it copied. */
  #fill(target: Buffer, start: number): number {
    const copied = this.#bytes.copy(target, start, this.#position, this.#position + target.length - start);
    this.#position += copied;
    return copied;
  }

  /** Frees the buffer once all its bytes are read. */
  #release(): undefined {
    this.#bytes = nothing;
    this.#position = 0;
    return undefined;
  }
}
