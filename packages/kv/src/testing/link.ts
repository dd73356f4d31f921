import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A proxy to an address on this machine. It can break all connections at once, mid-stream, or fall silent like a
 * network partition: nothing passes and nothing is closed.
 */
export class Link {
  readonly #server: Server;
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  #silent = false;

  private constructor(target: URL) {
    this.#target = target;
    this.#server = createServer((near) => this.#join(near));
  }

  static async to(target: string): Promise<Link> {
    const link = new Link(new URL(target));
    link.#server.listen(0, '127.0.0.1');
    await once(link.#server, 'listening');
    return link;
  }

  get endpoint(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Until `heal`. New connections are accepted and silent too. */
  partition(): void {
    this.#silent = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Forwards the withheld bytes and everything after them. */
  heal(): void {
    this.#silent = false;
    for (const socket of this.#sockets) socket.resume();
  }

  close(): void {
    this.#server.close();
    this.cut();
  }

  #join(near: Socket): void {
    const far = connect(Number(this.#target.port), this.#target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(one);
      one.on('data', (bytes) => other.write(bytes));
      if (this.#silent) one.pause();
      one.on('end', () => other.end());
      one.on('error', () => undefined);
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
  }
}
