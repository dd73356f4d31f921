import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { PacedReading } from './paced-reading.js';

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
  #isBusy = false;

  constructor(socket: Duplex, reading: PacedReading, all: WaitingRequests) {
    this.#socket = socket;
    this.#reading = reading;
    this.#all = all;
    socket.once('close', () => {
      all.count -= this.#waiting.length;
      this.#waiting.length = 0;
    });
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Calls `serve` when all requests before this one have been answered, unless the connection ends first. */
  enter(response: ServerResponse, serve: () => void): void {
    if (!this.#isBusy) {
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

  #serve(response: ServerResponse, serve: () => void): void {
    this.#isBusy = true;
    response.once('close', () => this.#next());
    serve();
  }

  #next(): void {
    this.#isBusy = false;
    const serve = this.#waiting.shift();
    if (serve !== undefined) {
      this.#all.count--;
      serve();
    }
    if (this.#waiting.length === 0 && !this.#socket.destroyed) this.#reading.release();
  }
}
