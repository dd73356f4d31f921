/** Frames that are written to the socket together. */
export class Batch {
  readonly #parts: Buffer[] = [];
  readonly #written: (() => void)[] = [];
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  add(part: Buffer): void {
    this.#parts.push(part);
    this.#bytes += part.length;
  }

  /** Calls `written` once the socket has written the batch. */
  onWritten(written: () => void): void {
    this.#written.push(written);
  }

  /** A copy, so that the memory of the parts can be reused. */
  toBuffer(): Buffer {
    return Buffer.concat(this.#parts, this.#bytes);
  }

  finish(): void {
    for (const written of this.#written) written();
  }
}
