import type { Duplex } from 'node:stream';
import { isTurnOver, Pauses } from '../turns/index.js';
import { type Frame, FrameReader, type MessagePart } from './frame-reader.js';
import { BINARY, closeFrame, frameHead, NORMAL_CLOSURE, PONG, PROTOCOL_ERROR, TEXT } from './frames.js';
import { WebSocketError } from './websocket-error.js';

export interface WebSocketConnectionOptions {
  /** Bytes that arrived after the head of the request. */
  readonly head: Buffer;
  /** Called once, when the connection begins to close. The client may take its time, so the caller limits it. */
  readonly onClosing: () => void;
}

/**
 * The server's side of a WebSocket, after its handshake. It reads the socket only as fast as its parts are consumed, so it
 * holds one chunk of the socket, however long a message is and however many wait. The caller owns the socket.
 */
export class WebSocketConnection {
  /** Settles when the socket is closed. */
  readonly closed: Promise<void>;
  readonly #socket: Duplex;
  readonly #onClosing: () => void;
  readonly #reader = new FrameReader();
  #wake: () => void = () => undefined;
  #isDropping = false;
  #isClosing = false;
  /** Nothing more is sent: this side has closed. */
  #hasClosed = false;
  /** Nothing more arrives. The reader still gets messages that have arrived. */
  #hasEnded = false;
  /** Nothing more is read: the client has closed or gone, or broke the protocol. */
  #isOver = false;

  constructor(socket: Duplex, { head, onClosing }: WebSocketConnectionOptions) {
    this.#socket = socket;
    this.#onClosing = onClosing;
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    socket.once('end', () => this.#ended());
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    void this.closed.then(() => this.#ended());
    socket.pause();
    if (head.length > 0) this.#reader.add(head);
  }

  /** The parts of the client's messages. They end when it closes or goes. One iteration at a time. */
  async *[Symbol.asyncIterator](): AsyncGenerator<MessagePart> {
    const pauses = new Pauses();
    while (!this.#isOver) {
      const frame = this.#next();
      if (frame?.kind === 'part') yield frame;
      else if (frame !== undefined) this.#control(frame);
      else if (this.#hasEnded) this.#end();
      else if (!this.#isOver) await this.#more();
      if (isTurnOver()) await pauses.next();
    }
  }

  /** Sends a whole message, binary or a text. Resolves when it is written, to false if the connection is over. */
  async send(message: Uint8Array | string): Promise<boolean> {
    if (this.#hasClosed || this.#socket.destroyed) return false;
    const bytes = typeof message === 'string' ? Buffer.from(message) : message;
    const head = frameHead(typeof message === 'string' ? TEXT : BINARY, bytes.length);
    return new Promise((resolve) => {
      this.#socket.cork();
      this.#socket.write(head);
      this.#socket.write(bytes, (error) => resolve(error === undefined || error === null));
      this.#socket.uncork();
    });
  }

  /** Sends a close frame after the messages so far. Messages that still arrive are dropped, so that the client's close frame is seen. */
  close(): void {
    this.#sayGoodbye(NORMAL_CLOSURE);
    this.#isDropping = true;
    this.#dropInput();
  }

  /** Breaks the connection. */
  destroy(): void {
    this.#socket.destroy();
    this.#end();
  }

  #receive(bytes: Buffer): void {
    if (this.#isOver) return;
    this.#reader.add(bytes);
    if (this.#isDropping) return this.#dropInput();
    this.#socket.pause();
    this.#wake();
  }

  #ended(): void {
    this.#hasEnded = true;
    if (this.#isDropping) this.#end();
    this.#wake();
  }

  #next(): Frame | undefined {
    try {
      return this.#reader.next();
    } catch (error) {
      if (!(error instanceof WebSocketError)) throw error;
      this.#sayGoodbye(PROTOCOL_ERROR);
      this.#end();
      return undefined;
    }
  }

  async #more(): Promise<void> {
    const received = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#socket.resume();
    await received;
  }

  #control(frame: Frame): void {
    if (frame.kind === 'close') {
      this.#sayGoodbye(frame.bytes.length >= 2 ? frame.bytes.readUInt16BE() : NORMAL_CLOSURE);
      this.#end();
    }
    // Otherwise the pongs for a client that sends pings and does not read would accumulate.
    if (frame.kind !== 'ping' || this.#hasClosed || this.#socket.writableNeedDrain) return;
    this.#socket.write(Buffer.concat([frameHead(PONG, frame.bytes.length), frame.bytes]));
  }

  #dropInput(): void {
    for (let frame = this.#next(); frame !== undefined && !this.#isOver; frame = this.#next()) this.#control(frame);
    if (this.#hasEnded) this.#end();
    this.#socket.resume();
  }

  #sayGoodbye(code: number): void {
    if (this.#hasClosed) return;
    this.#hasClosed = true;
    this.#socket.write(closeFrame(code));
    this.#beginToClose();
  }

  /** The input is over. The client may still read messages that were sent. */
  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#wake();
    this.#socket.resume();
    this.#socket.end();
    this.#beginToClose();
  }

  #beginToClose(): void {
    if (this.#isClosing || this.#socket.destroyed) return;
    this.#isClosing = true;
    this.#onClosing();
  }
}
