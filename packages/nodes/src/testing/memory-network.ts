import { type AddressInfo, Server, type ServerOpts, type Socket } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';

/** A network in memory, whose servers get the ports from 1000 on. */
export class MemoryNetwork {
  /** Why no server can listen. */
  problem: Error | undefined;
  readonly #servers = new Map<number, MemoryServer>();
  #port = 1000;

  readonly createServer = (_: ServerOpts, onConnection: (socket: Socket) => void): Server => {
    const port = this.#port++;
    const server = new MemoryServer(port, this.problem, () => this.#servers.delete(port));
    server.on('connection', onConnection);
    this.#servers.set(port, server);
    return server;
  };

  /** The ports of open servers. */
  get ports(): readonly number[] {
    return [...this.#servers.keys()];
  }

  /** The client's end of a connection. It closes with the server's. */
  connect(port: number): Duplex {
    const [near, far] = duplexPair();
    far.once('close', () => near.destroy());
    this.#servers.get(port)?.emit('connection', far);
    return near;
  }
}

class MemoryServer extends Server {
  readonly #port: number;
  readonly #problem: Error | undefined;
  readonly #onClose: () => void;

  constructor(port: number, problem: Error | undefined, onClose: () => void) {
    super();
    this.#port = port;
    this.#problem = problem;
    this.#onClose = onClose;
  }

  override listen(): this {
    process.nextTick(() => (this.#problem === undefined ? this.emit('listening') : this.emit('error', this.#problem)));
    return this;
  }

  override address(): AddressInfo {
    return { address: '127.0.0.1', family: 'IPv4', port: this.#port };
  }

  override close(done?: () => void): this {
    this.#onClose();
    done?.();
    return this;
  }
}
