import { MAX_FRAME_BYTES } from './limits.js';

/** The length of a frame's body comes before it. */
const HEADER_BYTES = 4;
const LEAST_CAPACITY = 128;

/** Writes one frame: its length, then the fields that the caller writes in order. */
export class FrameWriter {
  #buffer: Buffer;
  #length = HEADER_BYTES;

  /** `capacity`: an estimate of the length of the body; the buffer grows when it is too small. */
  constructor(capacity = LEAST_CAPACITY) {
    this.#buffer = Buffer.allocUnsafe(Math.max(capacity, LEAST_CAPACITY) + HEADER_BYTES);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#length] = value;
    this.#length += 1;
  }

  /** A safe integer of 0 or more. */
  integer(value: number): void {
    this.#reserve(8);
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) {
      this.#buffer[this.#length] = (rest % 128) | 128;
      this.#length += 1;
    }
    this.#buffer[this.#length] = rest;
    this.#length += 1;
  }

  float(value: number): void {
    this.#reserve(8);
    this.#length = this.#buffer.writeDoubleLE(value, this.#length);
  }

  text(value: string): void {
    const bytes = Buffer.byteLength(value);
    this.integer(bytes);
    this.#reserve(bytes);
    this.#length += this.#buffer.write(value, this.#length);
  }

  bytes(value: Uint8Array): void {
    this.integer(value.length);
    this.#reserve(value.length);
    this.#buffer.set(value, this.#length);
    this.#length += value.length;
  }

  /** The frame. Throws a `RangeError` if its body is longer than `most` bytes. A reader accepts no longer ones. */
  finish(most = MAX_FRAME_BYTES): Buffer {
    const body = this.#length - HEADER_BYTES;
    if (body > most) throw new RangeError(`a message must not be longer than ${most} bytes, this one has ${body}`);
    this.#buffer.writeUInt32LE(body);
    return this.#buffer.subarray(0, this.#length);
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
