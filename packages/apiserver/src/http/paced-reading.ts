import type { Duplex } from 'node:stream';
import { isTurnOver, nextTurn } from '../slices/index.js';

/** A piece holds a few hundred of the smallest chunks. Node.js makes an object of each, so one piece takes about a millisecond. */
const PIECE_BYTES = 2 * 1024;
/** A line holds one chunk or field. The parser copies what it has of a long line for each piece, so its pieces are larger. */
const LINE_PIECE_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;
type Listener = (this: Duplex, bytes?: Buffer) => void;
const nothing: Buffer = Buffer.alloc(0);

/**
 * Passes the bytes of an HTTP/1.1 connection to Node.js' parser in small pieces, in turns. Without it the parser reads two
 * megabytes at once, which can hold a hundred thousand chunks or requests. Reads more only when the pieces are parsed.
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
  readonly #onRead: (bytes: number) => void;
  #rest = nothing;
  #hasEnded = false;
  #isHeld = false;
  #isStopped = false;
  #waitsForTurn = false;

  /**
   * `attach` connects a parser to the socket; this class then calls the parser's listeners. The parser ends the connection
   * on the `end` event, so that event is held back while `mayEnd` is false. {@link release} checks again. `onRead` is told how
   * many bytes have arrived.
   */
  constructor(
    socket: Duplex,
    attach: () => void,
    mayEnd: () => boolean = () => true,
    onRead: (bytes: number) => void = () => undefined,
  ) {
    this.#socket = socket;
    this.#mayEnd = mayEnd;
    this.#onRead = onRead;
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

  /**
   * Stops parsing until {@link release}, even if the socket is resumed. Reads on while less than a piece waits, because only
   * a socket that is read notices that its client has gone.
   */
  hold(): void {
    this.#isHeld = true;
    this.#goOn();
  }

  release(): void {
    if (this.#isStopped) return;
    this.#isHeld = false;
    if (!this.#waitsForTurn) this.#resume();
  }

  /** Stops reading for good. Returns the bytes that were read and not parsed. */
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
    this.#onRead(bytes.length);
    this.#goOn();
  }

  /** The client ended its side. This can happen while the socket is paused, before the rest is parsed. */
  #end(): void {
    this.#hasEnded = true;
    if (!this.#waitsForTurn) this.#goOn();
  }

  /** Parses the rest, and keeps the socket paused until it is done. The parser also pauses it for an unread body or answer. */
  #goOn(): void {
    const socket = this.#socket;
    if (this.#isHeld || this.#waitsForTurn) {
      if (this.#waitsForTurn || this.#rest.length >= PIECE_BYTES) socket.pause();
      return;
    }
    // One piece is parsed even if other work has used up the turn, so that a busy server gets on with each connection.
    for (let parsed = 0; this.#rest.length > 0; parsed++) {
      if (this.#isHeld || (socket.isPaused() && !this.#hasEnded)) return;
      const isOver = isTurnOver();
      if (isOver && parsed > 0) {
        this.#waitForTurn();
        return;
      }
      const piece = nextPiece(this.#rest);
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

  /** A socket that has ended, or that flows, emits nothing when it is resumed, so the rest is parsed directly. */
  #resume(): void {
    if (this.#hasEnded || !this.#socket.isPaused()) this.#goOn();
    else this.#socket.resume();
  }
}

function nextPiece(rest: Buffer): Buffer {
  const line = rest.subarray(0, LINE_PIECE_BYTES).indexOf(LINE_FEED);
  const bytes = line < 0 ? LINE_PIECE_BYTES : Math.max(PIECE_BYTES, line + 1);
  return rest.subarray(0, bytes);
}
