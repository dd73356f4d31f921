import type { Writable } from 'node:stream';

/** A copy of a small batch costs less than a write of several parts. Copies of large ones burden the garbage collector. */
const MOST_COPIED_BYTES = 24 * 1024;
/** Parts that are smaller on average cost more apart than their copy does. */
const LEAST_PART_BYTES = 2 * 1024;

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

  /** Calls `done` when the socket has written all parts. Their memory may be reused then, and not before. */
  writeTo(socket: Writable, done: () => void): void {
    const written = (error?: Error | null): void => {
      if (error === undefined || error === null) done();
    };
    if (this.#bytes <= Math.max(MOST_COPIED_BYTES, this.#parts.length * LEAST_PART_BYTES)) {
      socket.write(Buffer.concat(this.#parts, this.#bytes), written);
      return;
    }
    socket.cork();
    const last = this.#parts.length - 1;
    for (const [index, part] of this.#parts.entries()) {
      if (index === last) socket.write(part, written);
      else socket.write(part);
    }
    socket.uncork();
  }

  finish(): void {
    for (const written of this.#written) written();
  }
}
