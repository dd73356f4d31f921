import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of HTTP/1.1 that wait for others of their connections to be answered, together. */
export interface WaitingRequests {
  count: number;
  readonly maximum: number;
}

/**
 * Serves the requests of one connection of HTTP/1.1 one by one. A client may send the next ones before it has its answer:
 * they wait, nothing more is read from the connection, and no work is done for them. Where too many wait, on all
 * connections together, this one is closed.
 */
export class Pipeline {
  readonly #socket: Socket;
  readonly #all: WaitingRequests;
  readonly #waiting: (() => void)[] = [];
  #isBusy = false;

  constructor(socket: Socket, all: WaitingRequests) {
    this.#socket = socket;
    this.#all = all;
    // Whatever Node resumes a connection for, here it waits for the answer.
    socket.on('resume', () => {
      if (this.#waiting.length > 0) socket.pause();
    });
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
    this.#socket.pause();
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
    if (this.#waiting.length === 0 && this.#socket.isPaused()) this.#socket.resume();
  }
}
