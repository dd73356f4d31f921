import type { Batch } from './batch.js';
import { DATA, END_STREAM, frameHead, headerFrames } from './frames.js';

interface Piece {
  readonly bytes: Buffer;
  readonly done: (() => void) | undefined;
}

/** What the connection allows a stream to send now. */
export interface SendAllowance {
  /** Bytes of DATA, as far as the connection's flow control goes. */
  readonly window: number;
  /** Bytes of a frame's payload. */
  readonly maxFrameSize: number;
}

/** What a stream has yet to send, in order: heads, then the body within the flow-control windows. */
export class StreamOutput {
  readonly #streamId: number;
  readonly #heads: Buffer[] = [];
  readonly #pieces: Piece[] = [];
  /** Bytes of the first piece that are sent. */
  #offset = 0;
  #bytes = 0;
  #hasEnded = false;
  #isSent = false;
  #window: number;

  /** `window`: the bytes of DATA that the client takes before it sends WINDOW_UPDATE. */
  constructor(streamId: number, window: number) {
    this.#streamId = streamId;
    this.#window = window;
  }

  /** Bytes of the body that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Whether all is sent, and the end. */
  get isSent(): boolean {
    return this.#isSent;
  }

  /** Negative after a client has reduced its initial window. */
  get window(): number {
    return this.#window;
  }

  widen(bytes: number): void {
    this.#window += bytes;
  }

  addHead(block: Buffer): void {
    this.#heads.push(block);
  }

  /** Calls `done` when the socket has written the piece. The memory belongs to the output until then. */
  add(bytes: Buffer, done: (() => void) | undefined): void {
    this.#pieces.push({ bytes, done });
    this.#bytes += bytes.length;
  }

  end(): void {
    this.#hasEnded = true;
  }

  /** Drops all that waits. */
  clear(): void {
    this.#heads.length = 0;
    this.#pieces.length = 0;
    this.#bytes = 0;
  }

  /** Whether something can be sent. `window`: that of the connection. */
  canSend(window: number): boolean {
    if (this.#isSent) return false;
    if (this.#heads.length > 0) return true;
    if (this.#bytes > 0) return Math.min(window, this.#window) > 0;
    return this.#pieces.length > 0 || this.#hasEnded;
  }

  /** Adds heads and at most one frame of DATA to the batch. Returns the bytes of DATA. */
  moveTo(batch: Batch, { window, maxFrameSize }: SendAllowance): number {
    for (const [index, head] of this.#heads.entries()) {
      const isLast = index === this.#heads.length - 1 && this.#hasEnded && this.#pieces.length === 0;
      for (const part of headerFrames(this.#streamId, head, isLast, maxFrameSize)) batch.add(part);
      this.#isSent = isLast;
    }
    this.#heads.length = 0;
    return this.#isSent || !this.canSend(window) ? 0 : this.#moveData(batch, Math.min(window, maxFrameSize));
  }

  #moveData(batch: Batch, limit: number): number {
    const length = Math.max(0, Math.min(this.#bytes, limit, this.#window));
    this.#isSent = this.#hasEnded && length === this.#bytes;
    if (length > 0 || this.#isSent) {
      batch.add(frameHead(length, DATA, this.#isSent ? END_STREAM : 0, this.#streamId));
    }
    this.#movePieces(batch, length);
    this.#bytes -= length;
    this.#window -= length;
    return length;
  }

  /** Empty pieces at the front go along. */
  #movePieces(batch: Batch, length: number): void {
    let missing = length;
    for (let piece = this.#pieces[0]; piece !== undefined; piece = this.#pieces[0]) {
      const part = piece.bytes.subarray(this.#offset, this.#offset + missing);
      if (part.length > 0) batch.add(part);
      missing -= part.length;
      this.#offset += part.length;
      if (this.#offset < piece.bytes.length) return;
      if (piece.done !== undefined) batch.onWritten(piece.done);
      this.#pieces.shift();
      this.#offset = 0;
    }
  }
}
