/** The bytes that a client may send each second in addition to the allowance for its requests. */
const FREE_BYTES_PER_SECOND = 256 * 1024;
/** How many unused free bytes can accumulate. */
const CREDIT_BYTES = 1024 * 1024;
/** The allowance for the frames that open a stream, end it, and update its window. */
const BYTES_PER_STREAM = 1024;
/** The allowance for a body: a frame with one byte of body has ten bytes. */
const BYTES_PER_BODY_BYTE = 16;
/** The allowance for window updates: clients send one for every few kilobytes that they receive. */
const SENT_PER_BYTE = 8;
/** How many requests a client may reset at once, and each second. */
const RESETS = 900;
const RESETS_PER_SECOND = 30;

/**
 * Finds clients that flood a connection: with legal frames such as PRIORITY, WINDOW_UPDATE and PING, or with requests that
 * they reset.
 */
export class Traffic {
  #allowed = CREDIT_BYTES;
  #read = 0;
  #written = 0;
  #resets = RESETS;

  /** Bytes have arrived. */
  read(bytes: number): void {
    this.#read += bytes;
  }

  /** A request has arrived, with a header block of that many bytes. */
  opened(headerBytes: number): void {
    this.#allowed += BYTES_PER_STREAM + headerBytes;
  }

  /** Part of a body has arrived, which the server keeps. */
  received(bodyBytes: number): void {
    this.#allowed += bodyBytes * BYTES_PER_BODY_BYTE;
  }

  /** A request is reset. Returns false if there are too many. */
  reset(): boolean {
    if (this.#resets === 0) return false;
    this.#resets--;
    return true;
  }

  /** Call it every second. `written`: all bytes that were sent so far. Returns false if the client has sent too much. */
  check(written: number): boolean {
    this.#allowed += FREE_BYTES_PER_SECOND + (written - this.#written) / SENT_PER_BYTE;
    this.#written = written;
    const isWithin = this.#read <= this.#allowed;
    // Unused allowance accumulates only up to the credit.
    this.#allowed = Math.min(this.#allowed, this.#read + CREDIT_BYTES);
    this.#resets = Math.min(this.#resets + RESETS_PER_SECOND, RESETS);
    return isWithin;
  }
}
