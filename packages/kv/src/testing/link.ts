import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * Passes bytes on to an address of this machine. It can break all connections at once, in the middle of whatever they carry,
 * or fall silent: nothing passes and nothing is closed, as where a network is parted.
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

  /** Until `speak`, also for new connections, which are accepted. */
  fallSilent(): void {
    this.#silent = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Passes on what was held back, and all that follows. */
  speak(): void {
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
