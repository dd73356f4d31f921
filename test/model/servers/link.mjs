import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** Passes bytes on to an address of this machine, and can break all connections at once, in the middle of whatever they carry. */
export class Link {
  #server;
  #target;
  #sockets = new Set();

  static async to(target) {
    const link = new Link();
    link.#target = new URL(target);
    link.#server = createServer((near) => link.#join(near));
    link.#server.listen(0, '127.0.0.1');
    await once(link.#server, 'listening');
    return link;
  }

  get endpoint() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  cut() {
    for (const socket of this.#sockets) socket.destroy();
  }

  close() {
    this.#server.close();
    this.cut();
  }

  #join(near) {
    const far = connect(Number(this.#target.port), this.#target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ]) {
      this.#sockets.add(one);
      one.pipe(other);
      one.on('error', () => undefined);
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
  }
}
