import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { PacedReading } from './paced-reading.js';

/** How long the end of an answer may take when its client has asked for another protocol: it should have all bytes of it. */
const END_MS = 5000;

/** Requests of HTTP/1.1 that wait for others of their connections to be answered, together. */
export interface WaitingRequests {
  count: number;
  readonly maximum: number;
}

/**
 * Serves the requests of one connection of HTTP/1.1 one by one. A client may send the next ones before it has its answer:
 * they wait, nothing more of the connection is parsed, and no work is done for them. Where too many wait, on all
 * connections together, this one is closed.
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
  /** The answer that is under way. */
  #current: ServerResponse | undefined;

  constructor(socket: Duplex, reading: PacedReading, all: WaitingRequests) {
    this.#socket = socket;
    this.#reading = reading;
    this.#all = all;
    socket.once('close', this.#onClose);
  }

  /** Whether a request that has come as a whole is being served. Its client may have ended its side, and waits for the answer. */
  get isAnswering(): boolean {
    return this.#current?.req.complete === true;
  }

  /** Whether an answer has begun that has not ended. */
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
   * Calls `take` when the answer under way has been sent: a client that has all bytes of it may ask for another protocol a moment
   * before its end is noticed here. Where further requests wait, or the answer goes on for seconds, as a watch does, the client did
   * not wait for its answers, and is cut off.
   * Node reads nothing more of the socket then, and does not hear its drains: they are passed on to the answer.
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
