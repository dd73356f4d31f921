import type { Duplex } from 'node:stream';
import { isTurnOver, Pauses } from '../turns/index.js';
import { FrameReader } from './frame-reader.js';
import {
  CANCEL,
  dataFrames,
  type Frame,
  goAwayFrame,
  openFrame,
  pingFrame,
  PROTOCOL_ERROR,
  REFUSED_STREAM,
  replyFrame,
  resetFrame,
} from './frames.js';
import { decodeHeaderBlock, encodeHeaderBlock, type StreamHeaders } from './header-block.js';
import { HeaderCompressor, HeaderDecompressor } from './header-compression.js';
import { Settlement } from './settlement.js';
import { SpdyError } from './spdy-error.js';
import { SpdyStream } from './spdy-stream.js';

const MAX_STREAMS = 1024;
const MAX_STREAM_ID = 0x7fffffff;

export interface SpdyConnectionOptions {
  /** The client is the side that sent the request to upgrade. */
  readonly role: 'client' | 'server';
  /** Bytes that arrived after the head of the request or the answer. */
  readonly head?: Buffer;
  /** Called with each stream that the peer opens; it calls `accept` or `refuse`. Without it, streams are refused. */
  readonly onStream?: (stream: SpdyStream) => void;
  /** How many streams may be open at once; 1024 by default. The peer's further ones are refused. */
  readonly maxStreams?: number;
}

/**
 * Streams on an upgraded connection. The connection is over when the peer ends it or closes the socket, when the peer
 * breaks the protocol, and with `destroy`; its streams then end. It takes no timeouts: the caller sets those.
 * Upstream: `spdystream.Connection`.
 */
export class SpdyConnection {
  readonly #socket: Duplex;
  readonly #options: SpdyConnectionOptions;
  readonly #reader = new FrameReader();
  readonly #compressor = new HeaderCompressor();
  readonly #decompressor = new HeaderDecompressor();
  readonly #streams = new Map<number, SpdyStream>();
  /** What keeps the connection from reading: streams whose buffer is full, and the socket's own output. */
  readonly #stalled = new Set<unknown>();
  readonly #closed = new Settlement();
  #waiting: (() => void)[] = [];
  readonly #firstId: 1 | 2;
  #nextId: number;
  #lastReceivedId = 0;
  #isBetweenTurns = false;
  #pauses = new Pauses();
  /** The peer has ended its side, and all of it has been read unless more is read in another turn. */
  #hasEnded = false;
  #nextPing: number;
  #isOver = false;

  constructor(socket: Duplex, options: SpdyConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#firstId = options.role === 'client' ? 1 : 2;
    this.#nextId = this.#firstId;
    this.#nextPing = this.#firstId;
    socket.on('error', () => this.destroy());
    socket.once('close', () => this.#end());
    socket.once('end', () => {
      this.#hasEnded = true;
      if (!this.#isBetweenTurns) this.#inputEnded();
    });
    socket.on('drain', () => this.#drained());
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    if (options.head !== undefined && options.head.length > 0) this.#receive(options.head);
  }

  /** Settles when the connection is over. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  get streamCount(): number {
    return this.#streams.size;
  }

  /** Opens a stream. `accepted` of the stream says when the peer has taken it. Throws a {@link SpdyError} when the connection is over. */
  open(headers: StreamHeaders): SpdyStream {
    if (this.#isOver || this.#nextId > MAX_STREAM_ID) throw new SpdyError('the connection takes no more streams');
    const id = this.#nextId;
    this.#nextId += 2;
    const stream = this.#add(id, headers);
    this.#send(openFrame(id, this.#compressor.compress(encodeHeaderBlock(headers))));
    return stream;
  }

  /** Asks the peer for a sign of life; idle connections stay open that way. */
  ping(): void {
    if (this.#isOver) return;
    this.#send(pingFrame(this.#nextPing));
    this.#nextPing = this.#nextPing + 2 > MAX_STREAM_ID ? this.#firstId : this.#nextPing + 2;
  }

  /** Ends all streams once they have sent what was written, says goodbye and ends the socket's output. The peer closes the rest. */
  async close(): Promise<void> {
    await Promise.all([...this.#streams.values()].map(ended));
    if (this.#isOver) return;
    this.#send(goAwayFrame(this.#lastReceivedId));
    this.#socket.end();
    this.#end();
  }

  /** Closes the socket at once. */
  destroy(): void {
    this.#socket.destroy();
    this.#end();
  }

  #receive(bytes: Buffer): void {
    if (this.#isOver) return;
    this.#reader.add(bytes);
    if (this.#isBetweenTurns) return;
    this.#pauses = new Pauses();
    this.#readFrames();
  }

  /** A read may hold thousands of frames, and inflating the headers of one may take a millisecond. */
  #readFrames(): void {
    try {
      for (let frame = this.#reader.next(); frame !== undefined && !this.#isOver; frame = this.#reader.next()) {
        this.#handle(frame);
        if (isTurnOver()) return this.#readLater();
      }
    } catch (error) {
      if (!(error instanceof SpdyError)) throw error;
      this.destroy();
    }
  }

  #readLater(): void {
    this.#isBetweenTurns = true;
    this.#stall(this.#reader);
    void this.#readInNextTurn();
  }

  async #readInNextTurn(): Promise<void> {
    await this.#pauses.next();
    this.#isBetweenTurns = false;
    this.#readFrames();
    if (this.#isBetweenTurns) return;
    this.#goOn(this.#reader);
    if (this.#hasEnded) this.#inputEnded();
  }

  #handle(frame: Frame): void {
    switch (frame.kind) {
      case 'open':
        return this.#handleOpen(frame.streamId, this.#headersIn(frame.block), frame.fin);
      case 'reply':
      case 'headers':
        this.#headersIn(frame.block);
        if (frame.kind === 'reply') this.#streams.get(frame.streamId)?.opened();
        if (frame.fin) this.#streams.get(frame.streamId)?.receivedEnd();
        return;
      case 'data':
        return this.#handleData(frame.streamId, frame.bytes, frame.fin);
      case 'reset':
        return this.#streams.get(frame.streamId)?.over();
      case 'ping':
        if (frame.id % 2 !== this.#firstId % 2) this.#answer(pingFrame(frame.id));
        return;
      case 'goAway':
        this.#socket.end();
        return this.#end();
      case 'ignored':
    }
  }

  #headersIn(block: Buffer): StreamHeaders {
    return decodeHeaderBlock(this.#decompressor.decompress(block));
  }

  #handleOpen(id: number, headers: StreamHeaders, fin: boolean): void {
    if (id % 2 === this.#firstId % 2 || id <= this.#lastReceivedId) return this.#answer(resetFrame(id, PROTOCOL_ERROR));
    this.#lastReceivedId = id;
    const { onStream, maxStreams = MAX_STREAMS } = this.#options;
    if (onStream === undefined || this.#streams.size >= maxStreams) return this.#answer(resetFrame(id, REFUSED_STREAM));
    const stream = this.#add(id, headers);
    if (fin) stream.receivedEnd();
    onStream(stream);
  }

  #handleData(id: number, bytes: Buffer, fin: boolean): void {
    const stream = this.#streams.get(id);
    if (stream?.received(bytes) === false) this.#stall(stream);
    if (fin) stream?.receivedEnd();
  }

  #add(id: number, headers: StreamHeaders): SpdyStream {
    const stream: SpdyStream = new SpdyStream(id, headers, {
      send: (bytes, fin, callback) => this.#sendData(dataFrames(id, bytes, fin), callback),
      reply: () => this.#answer(replyFrame(id, this.#compressor.compress(encodeHeaderBlock(new Map())))),
      reset: (refused) => this.#answer(resetFrame(id, refused ? REFUSED_STREAM : CANCEL)),
      wanted: () => this.#goOn(stream),
      removed: () => {
        this.#streams.delete(id);
        this.#goOn(stream);
      },
    });
    this.#streams.set(id, stream);
    return stream;
  }

  #sendData(frames: readonly Buffer[], callback: () => void): void {
    if (this.#isOver) return callback();
    this.#socket.cork();
    for (const frame of frames) this.#socket.write(frame);
    this.#socket.uncork();
    if (this.#socket.writableNeedDrain) this.#waiting.push(callback);
    else callback();
  }

  #inputEnded(): void {
    this.#end();
    this.#socket.end();
  }

  #send(frame: Buffer): boolean {
    return this.#isOver || this.#socket.write(frame);
  }

  /** Sends what the peer can provoke. Nothing more of it is read until it has taken that. */
  #answer(frame: Buffer): void {
    if (!this.#send(frame)) this.#stall(this.#socket);
  }

  #stall(who: unknown): void {
    this.#stalled.add(who);
    this.#socket.pause();
  }

  #goOn(who: unknown): void {
    if (this.#stalled.delete(who) && this.#stalled.size === 0) this.#socket.resume();
  }

  #drained(): void {
    this.#goOn(this.#socket);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const callback of waiting) callback();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const stream of this.#streams.values()) stream.over();
    this.#streams.clear();
    this.#drained();
    this.#stalled.clear();
    // Bytes that still arrive are dropped, so that the end of the socket is seen.
    this.#socket.resume();
    this.#closed.resolve();
  }
}

/** Settles when all that was written to the stream has been sent, with its end. */
function ended(stream: SpdyStream): Promise<void> {
  if (stream.writableFinished || stream.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once('finish', resolve).once('close', resolve);
    if (!stream.writableEnded) stream.end();
  });
}
