import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { PacedReading } from './paced-reading.js';

/** How long an answer may still take when its client requests another protocol. The client should have all its bytes. */
const END_MS = 5000;

/** Counts the waiting HTTP/1.1 requests of all connections. */
export interface WaitingRequests {
  count: number;
  readonly maximum: number;
}

/**
 * Serves the requests of one HTTP/1.1 connection one by one. A client may send the next requests before it has its answer.
 * They wait and cost no work, and nothing more of the connection is parsed. When too many wait on all connections
 * together, this connection is closed.
 */
export class Pipeline {
  readonly #socket: Duplex;
  readonly #reading: PacedReading;
  readonly #all: WaitingRequests;
  readonly #waiting: (() => void)[] = [];
  readonly #onClose = (): void => {
    this.#all.count -= this.#waiting.length;
    this.#waiting.length = 0;
  };
  /** The answer in progress. */
  #current: ServerResponse | undefined;

  constructor(socket: Duplex, reading: PacedReading, all: WaitingRequests) {
    this.#socket = socket;
    this.#reading = reading;
    this.#all = all;
    socket.once('close', this.#onClose);
  }

  /** Whether a complete request is being served. Its client may have ended its side and still wait for the answer. */
  get isAnswering(): boolean {
    return this.#current?.req.complete === true;
  }

  /** Whether a request is being served, from the end of its head on. */
  get isServing(): boolean {
    return this.#current !== undefined;
  }

  /** Whether an answer has begun and not ended. */
  get hasAnswer(): boolean {
    return this.#current?.headersSent === true;
  }

  /** Calls `serve` when all requests before this one have been answered, unless the connection ends first. */
  enter(response: ServerResponse, serve: () => void): void {
    if (this.#current === undefined) {
      this.#serve(response, serve);
      return;
    }
    if (this.#all.count >= this.#all.maximum) {
      this.#socket.destroy();
      return;
    }
    this.#all.count++;
    this.#waiting.push(() => this.#serve(response, serve));
    this.#reading.hold();
  }

  /**
   * Calls `take` when the answer in progress is sent. A client that has all its bytes may request another protocol a moment
   * before this side notices the end. If more requests wait, or the answer lasts for seconds like a watch, the client did
   * not wait for its answers, and its connection is closed.
   * From then on Node neither reads the socket nor handles its `drain` events, so they are forwarded to the answer.
   */
  leave(take: () => void): void {
    const current = this.#current;
    const socket = this.#socket;
    if (current === undefined) {
      socket.off('close', this.#onClose);
      take();
      return;
    }
    if (this.#waiting.length > 0) {
      socket.destroy();
      return;
    }
    const passOn = (): void => void current.emit('drain');
    const late = setTimeout(() => socket.destroy(), END_MS);
    socket.on('drain', passOn);
    current.once('close', () => {
      clearTimeout(late);
      socket.off('drain', passOn).off('close', this.#onClose);
      if (!socket.destroyed) take();
    });
  }

  #serve(response: ServerResponse, serve: () => void): void {
    this.#current = response;
    response.once('close', () => this.#next());
    serve();
  }

  #next(): void {
    this.#current = undefined;
    const serve = this.#waiting.shift();
    if (serve !== undefined) {
      this.#all.count--;
      serve();
    }
    if (this.#waiting.length === 0 && !this.#socket.destroyed) this.#reading.release();
  }
}
