import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type ServerOpts, type Socket } from 'node:net';

/** Connections of one listener. */
const MAX_CONNECTIONS = 1024;

/** Makes a server that listens on a port. */
export type CreateServer = (options: ServerOpts, onConnection: (socket: Socket) => void) => Server;

/** Sockets that listen on one address, each on a port that the system chooses. */
export class Listeners {
  readonly ports: readonly number[];
  readonly #servers: readonly Server[];
  readonly #sockets: ReadonlySet<Socket>;

  private constructor(servers: readonly Server[], sockets: ReadonlySet<Socket>) {
    this.#servers = servers;
    this.#sockets = sockets;
    this.ports = servers.map((server) => (server.address() as AddressInfo).port);
  }

  /** Rejects with the system's error, and then nothing listens. */
  static async open(
    address: string,
    count: number,
    onConnection: (socket: Socket) => void,
    create: CreateServer = createServer,
  ): Promise<Listeners> {
    const sockets = new Set<Socket>();
    const servers = Array.from({ length: count }, () =>
      create({ noDelay: true }, (socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
        socket.on('error', () => undefined);
        onConnection(socket);
      }),
    );
    try {
      await Promise.all(
        servers.map(async (server) => {
          server.maxConnections = MAX_CONNECTIONS;
          server.listen(0, address);
          await once(server, 'listening');
        }),
      );
    } catch (error) {
      for (const server of servers) server.close();
      throw error;
    }
    return new Listeners(servers, sockets);
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    const closed = this.#servers.map((server) => new Promise<void>((resolve) => void server.close(() => resolve())));
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(closed);
  }
}
