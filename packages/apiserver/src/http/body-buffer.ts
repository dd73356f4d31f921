const FIRST_BYTES = 4 * 1024;

/** Collects chunks in one growing buffer, so that many tiny chunks cost little more than their bytes. */
export class BodyBuffer {
  #memory = Buffer.alloc(0);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The bytes so far. They share memory with this buffer, so do not add to it afterwards. */
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
