/** Bytes that are not a frame of this protocol. The connection cannot be used any more. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

/** The most bytes of an integer: 7 bits each, up to 2^53. */
const LONGEST_INTEGER = 8;

/** Reads the body of one frame, field by field, in the order in which they were written. Throws {@link ProtocolError}. */
export class FrameReader {
  readonly #body: Buffer;
  #position = 0;

  constructor(body: Buffer) {
    this.#body = body;
  }

  byte(): number {
    const value = this.#body[this.#position];
    if (value === undefined) throw new ProtocolError('a frame ends within a field');
    this.#position += 1;
    return value;
  }

  integer(): number {
    let value = 0;
    let scale = 1;
    for (let index = 0; index < LONGEST_INTEGER; index += 1) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) {
        if (Number.isSafeInteger(value)) return value;
        break;
      }
      scale *= 128;
    }
    throw new ProtocolError('a frame has a number that is too large');
  }

  float(): number {
    return this.#body.readDoubleLE(this.#advance(8));
  }

  text(): string {
    const length = this.integer();
    const start = this.#advance(length);
    return this.#body.toString('utf8', start, start + length);
  }

  /** A copy, because values live longer than the chunk that they came in. */
  bytes(): Uint8Array {
    const length = this.integer();
    const start = this.#advance(length);
    return Buffer.from(this.#body.subarray(start, start + length));
  }

  skipBytes(): void {
    this.#advance(this.integer());
  }

  /** The number of elements that follow. Each has at least one byte, so a false number allocates nothing. */
  count(): number {
    const count = this.integer();
    if (count > this.#body.length - this.#position) throw new ProtocolError('a frame has too few elements');
    return count;
  }

  /** Throws unless all fields have been read. */
  end(): void {
    if (this.#position !== this.#body.length) throw new ProtocolError('a frame has unknown fields');
  }

  /** Returns where the skipped bytes begin. */
  #advance(bytes: number): number {
    const start = this.#position;
    if (bytes > this.#body.length - start) throw new ProtocolError('a frame ends within a field');
    this.#position = start + bytes;
    return start;
  }
}
