/** The bytes of DATA that a client may send on a stream, or on all of them. RFC 9113, section 5.2. */
export class ReceiveWindow {
  readonly #size: number;
  #left: number;
  #consumed = 0;

  /** In bytes. */
  constructor(size: number) {
    this.#size = size;
    this.#left = size;
  }

  /** Returns false if the client has sent more than it may. */
  receive(bytes: number): boolean {
    this.#left -= bytes;
    return this.#left >= 0;
  }

  /** Bytes are read, or dropped. Returns the increment to announce: none until half of the window is read. */
  consume(bytes: number): number {
    this.#consumed += bytes;
    if (this.#consumed < this.#size / 2) return 0;
    const increment = this.#consumed;
    this.#consumed = 0;
    this.#left += increment;
    return increment;
  }
}
