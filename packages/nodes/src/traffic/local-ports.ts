import { createServer, type Server, type ServerOpts, type Socket } from 'node:net';
import { pause } from '@binnacle/apimachinery/turns';
import type { Place } from './service-endpoints.js';

/** Connections of one port. */
const MOST_CONNECTIONS = 1024;

/** Makes a server that listens on a port. */
export type CreateServer = (options: ServerOpts, onConnection: (socket: Socket) => void) => Server;

export interface LocalPortsParts {
  readonly onConnection: (name: string, socket: Socket) => void;
  /** Called when a port cannot be listened on, once for each port. It is tried again at each call of `listen`. */
  readonly report: (error: unknown) => void;
  /** Default: servers of this machine. */
  readonly createServer?: CreateServer | undefined;
}

/** The ports of this machine on which something listens, by their names. */
export class LocalPorts {
  readonly #parts: LocalPortsParts;
  readonly #servers = new Map<string, Server>();
  readonly #sockets = new Set<Socket>();
  /** Those that could not be listened on. */
  readonly #failed = new Set<string>();
  #isClosed = false;

  constructor(parts: LocalPortsParts) {
    this.#parts = parts;
  }

  /** Listens on these places, and no others. Connections that are open continue. Resolves when each port listens or has failed. */
  async listen(places: ReadonlyMap<string, Place>): Promise<void> {
    for (const [name, server] of this.#servers) {
      if (places.has(name)) continue;
      this.#servers.delete(name);
      server.close();
    }
    for (const name of this.#failed) if (!places.has(name)) this.#failed.delete(name);
    const opened = [...places].filter(([name]) => !this.#servers.has(name));
    const listening: Promise<void>[] = [];
    for (const [name, place] of opened) {
      await pause();
      if (this.#isClosed) break;
      listening.push(this.#open(name, place));
    }
    await Promise.all(listening);
  }

  /** Ends all connections. */
  close(): void {
    this.#isClosed = true;
    for (const server of this.#servers.values()) server.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#servers.clear();
  }

  #open(name: string, { host, port }: Place): Promise<void> {
    const { createServer: create = createServer, onConnection, report } = this.#parts;
    const server = create({ allowHalfOpen: true, noDelay: true }, (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      socket.on('error', () => undefined);
      onConnection(name, socket);
    });
    this.#servers.set(name, server);
    server.maxConnections = MOST_CONNECTIONS;
    return new Promise((resolve) => {
      server.once('listening', () => {
        this.#failed.delete(name);
        resolve();
      });
      server.once('close', resolve);
      server.on('error', (error) => {
        if (this.#servers.get(name) === server) this.#servers.delete(name);
        if (!this.#failed.has(name)) report(error);
        this.#failed.add(name);
        resolve();
      });
      server.listen(port, host);
    });
  }
}
