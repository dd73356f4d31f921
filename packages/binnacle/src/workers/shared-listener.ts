import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** More connections than this do not wait for a process: as many as one process serves. */
const MOST_WAITING = 20_000;

/** A process that serves connections. */
export interface ConnectionTaker {
  /** Gives the socket to the process. Settles when it has it; rejects when it has ended. */
  call(name: 'connection', argument: undefined, socket: Socket): Promise<unknown>;
}

/**
 * A port whose connections several processes serve in turn. A process gets one connection at a time, when it has the one
 * before; so none is lost with a process that hangs or ends, except the one that it was about to get.
 */
export class SharedListener {
  readonly #server: Server;
  readonly #takers = new Set<ConnectionTaker>();
  /** Those that can take a connection now; the first one waits longest. */
  readonly #free: ConnectionTaker[] = [];
  readonly #waiting: Socket[] = [];
  #isStopping = false;

  constructor() {
    this.#server = createServer({ pauseOnConnect: true }, (socket) => this.#accept(socket));
  }

  /** Rejects with the unchanged system error. Returns the port; 0 picks a free one. */
  listen(address: string, port: number): Promise<number> {
    const server = this.#server;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: address, port }, () => {
        server.off('error', reject);
        resolve((server.address() as AddressInfo).port);
      });
    });
  }

  join(taker: ConnectionTaker): void {
    this.#takers.add(taker);
    this.#free.push(taker);
    this.#distribute();
  }

  /** The process gets no further connections. Leaving twice does nothing. */
  leave(taker: ConnectionTaker): void {
    this.#takers.delete(taker);
    const index = this.#free.indexOf(taker);
    if (index >= 0) this.#free.splice(index, 1);
    if (this.#isStopping && this.#takers.size === 0) this.close();
  }

  /** Closes the port as soon as no process takes connections any more. */
  stop(): void {
    this.#isStopping = true;
    if (this.#takers.size === 0) this.close();
  }

  /** Ends the connections that wait. Those of processes continue. */
  close(): void {
    this.#server.close();
    for (const socket of this.#waiting.splice(0)) socket.destroy();
  }

  #accept(socket: Socket): void {
    if (this.#waiting.length >= MOST_WAITING) {
      socket.destroy();
      return;
    }
    socket.on('error', () => socket.destroy());
    this.#waiting.push(socket);
    this.#distribute();
  }

  #distribute(): void {
    for (;;) {
      const [taker] = this.#free;
      const [socket] = this.#waiting;
      if (taker === undefined || socket === undefined) return;
      this.#waiting.shift();
      if (socket.destroyed) continue;
      this.#free.shift();
      void this.#give(taker, socket);
    }
  }

  async #give(taker: ConnectionTaker, socket: Socket): Promise<void> {
    try {
      await taker.call('connection', undefined, socket);
    } catch {
      // The process has ended, or refuses: the client connects again.
      socket.destroy();
    }
    if (!this.#takers.has(taker)) return;
    this.#free.push(taker);
    this.#distribute();
  }
}
