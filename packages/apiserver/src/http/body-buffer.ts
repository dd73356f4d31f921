const FIRST_BYTES = 4 * 1024;

/** Bytes that come chunk by chunk, side by side in one memory that grows with them: a chunk costs no more than its bytes. */
export class BodyBuffer {
  #memory = Buffer.alloc(0);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The bytes so far. They share their memory with the buffer, to which nothing may be added any more. */
  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#size);
  }

  add(chunk: Uint8Array): void {
    const needed = this.#size + chunk.length;
    if (needed > this.#memory.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#memory.length * 2, FIRST_BYTES));
      this.#memory.copy(grown, 0, 0, this.#size);
      this.#memory = grown;
    }
    this.#memory.set(chunk, this.#size);
    this.#size = needed;
  }
}
