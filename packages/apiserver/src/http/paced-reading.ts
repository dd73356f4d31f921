import type { Duplex } from 'node:stream';
import { isTurnOver, nextTurn } from '../slices/index.js';

/** A piece holds a few hundred of the smallest chunks. Node makes an object of each, so one piece takes about a millisecond. */
const PIECE_BYTES = 2 * 1024;
type Listener = (this: Duplex, bytes?: Buffer) => void;
const nothing: Buffer = Buffer.alloc(0);

/**
 * Hands what a connection of HTTP/1.1 sends to Node's parser in small pieces, and in turns. A parser that is left to read by itself
 * takes two megabytes at once, which may be a hundred thousand chunks or requests. Reads on only when the pieces are parsed.
 */
export class PacedReading {
  readonly #socket: Duplex;
  /** The parser's own listeners. */
  readonly #onPiece: readonly Listener[];
  readonly #onLast: Listener[];
  readonly #onData = (bytes: Buffer): void => this.#read(bytes);
  readonly #onEnd = (): void => this.#end();
  readonly #onResume = (): void => this.#goOn();
  readonly #onClose = (): void => void this.stop();
  readonly #mayEnd: () => boolean;
  #rest = nothing;
  #hasEnded = false;
  #isHeld = false;
  #isStopped = false;
  #waitsForTurn = false;

  /**
   * `attach` makes a parser read the socket. Its listeners are called from here. The parser ends the connection when it hears the
   * end of what the client sends: while `mayEnd` is false, it does not hear it. {@link release} asks again.
   */
  constructor(socket: Duplex, attach: () => void, mayEnd: () => boolean = () => true) {
    this.#socket = socket;
    this.#mayEnd = mayEnd;
    const taken = { data: socket.listeners('data'), end: socket.listeners('end') };
    attach();
    const take = (event: 'data' | 'end'): Listener[] => {
      const added = socket.listeners(event).filter((listener) => !taken[event].includes(listener)) as Listener[];
      for (const listener of added) socket.off(event, listener);
      return added;
    };
    this.#onPiece = take('data');
    this.#onLast = take('end');
    socket.on('data', this.#onData).on('end', this.#onEnd).on('resume', this.#onResume).on('close', this.#onClose);
  }

  /** Parses no more until {@link release}, whoever resumes the socket. */
  hold(): void {
    this.#isHeld = true;
    this.#socket.pause();
  }

  release(): void {
    if (this.#isStopped) return;
    this.#isHeld = false;
    if (!this.#waitsForTurn) this.#resume();
  }

  /** Leaves the connection to others. Returns what has been read and not parsed. */
  stop(): Buffer {
    const rest = this.#rest;
    this.#rest = nothing;
    this.#isHeld = true;
    this.#onLast.length = 0;
    this.#isStopped = true;
    this.#socket.off('data', this.#onData).off('end', this.#onEnd);
    this.#socket.off('resume', this.#onResume).off('close', this.#onClose);
    return rest;
  }

  #read(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    this.#goOn();
  }

  /** The client has said all. That is heard even while the socket is paused, before the rest is parsed. */
  #end(): void {
    this.#hasEnded = true;
    if (!this.#waitsForTurn) this.#goOn();
  }

  /** Parses the rest; leaves the socket paused while there is one. The parser pauses it when a body or an answer is not taken. */
  #goOn(): void {
    const socket = this.#socket;
    if (this.#isHeld || this.#waitsForTurn) {
      socket.pause();
      return;
    }
    while (this.#rest.length > 0) {
      if (this.#isHeld || (socket.isPaused() && !this.#hasEnded)) return;
      if (isTurnOver()) {
        this.#waitForTurn();
        return;
      }
      const piece = this.#rest.subarray(0, PIECE_BYTES);
      this.#rest = this.#rest.subarray(piece.length);
      for (const listener of this.#onPiece) listener.call(socket, piece);
    }
    if (!this.#hasEnded || this.#isHeld || !this.#mayEnd()) return;
    for (const listener of this.#onLast.splice(0)) listener.call(socket);
  }

  #waitForTurn(): void {
    this.#waitsForTurn = true;
    this.#socket.pause();
    void nextTurn().then(() => {
      this.#waitsForTurn = false;
      if (!this.#isHeld) this.#resume();
    });
  }

  /** A socket that has ended says nothing any more when it is resumed. */
  #resume(): void {
    if (this.#hasEnded) this.#goOn();
    else this.#socket.resume();
  }
}
