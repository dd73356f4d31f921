import type { Duplex } from 'node:stream';
import { isTurnOver, nextTurn } from '../../slices/index.js';
import { ConnectionError } from './error-codes.js';
import { FrameReader } from './frame-reader.js';
import { DEFAULT_FRAME_SIZE, type Frame } from './frames.js';

/**
 * This many frames are read even if other work has used up the turn. Otherwise a busy server might read none for a minute, not
 * even those that widen the windows of its answers.
 */
const LEAST_FRAMES = 16;

export interface FrameHandler {
  /** Bytes have arrived. */
  read(bytes: number): void;
  /** May throw a {@link ConnectionError}. */
  accept(frame: Frame): void;
  /** The connection cannot continue. `code`: RFC 9113, section 7. */
  fail(code: number): void;
}

/** Reads the frames of a connection, in turns of the loop: a read of 64 KiB may hold seven thousand frames. */
export class ConnectionInput {
  readonly #socket: Duplex;
  readonly #handler: FrameHandler;
  readonly #reader = new FrameReader(DEFAULT_FRAME_SIZE);
  readonly #whenRead: (() => void)[] = [];
  #isWaiting = false;
  #isStopped = false;

  constructor(socket: Duplex, handler: FrameHandler) {
    this.#socket = socket;
    this.#handler = handler;
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Ignores all that arrives from now on. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Calls `act` once all bytes that have arrived are read. */
  whenRead(act: () => void): void {
    this.#whenRead.push(act);
  }

  #receive(bytes: Buffer): void {
    if (this.#isStopped) return;
    this.#handler.read(bytes.length);
    this.#reader.add(bytes);
    if (!this.#isWaiting) this.#readFrames();
  }

  #readFrames(): void {
    try {
      for (let read = 0; !this.#isStopped; read++) {
        const isOver = isTurnOver();
        if (isOver && read >= LEAST_FRAMES) {
          this.#waitForTurn();
          return;
        }
        const frame = this.#reader.next();
        if (frame === undefined) {
          for (const act of this.#whenRead.splice(0)) act();
          return;
        }
        this.#handler.accept(frame);
      }
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      this.#handler.fail(error.code);
    }
  }

  #waitForTurn(): void {
    this.#isWaiting = true;
    this.#socket.pause();
    void nextTurn().then(() => {
      this.#isWaiting = false;
      this.#socket.resume();
      this.#readFrames();
    });
  }
}
