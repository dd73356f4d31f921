import type { Socket } from 'node:net';
import { GuardedSocket, type HandshakeOrder } from './guarded-socket.js';

/**
 * The TLS handshakes of a server that asks for client certificates. OpenSSL verifies the signatures of all certificates that
 * a client sends in one piece. So the bytes of a handshake are bounded, and one handshake goes on in each turn of the loop.
 */
export class Handshakes implements HandshakeOrder {
  readonly #maxBytes: number;
  readonly #waiting: (() => void)[] = [];
  #isTurnTaken = false;
  #current: GuardedSocket | undefined;

  /** `maxBytes`: what a client may send in its handshake. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  guard(socket: Socket): GuardedSocket {
    return new GuardedSocket(socket, this.#maxBytes, this);
  }

  /** The connection that TLS reads at the moment: an event of TLS belongs to it. */
  get current(): GuardedSocket | undefined {
    return this.#current;
  }

  enter(connection: GuardedSocket, goOn: () => void): void {
    const run = (): void => {
      this.#current = connection;
      goOn();
      this.#current = undefined;
    };
    if (this.#isTurnTaken) this.#waiting.push(run);
    else this.#take(run);
  }

  #take(run: () => void): void {
    this.#isTurnTaken = true;
    setImmediate(() => this.#next());
    run();
  }

  #next(): void {
    this.#isTurnTaken = false;
    const run = this.#waiting.shift();
    if (run !== undefined) this.#take(run);
  }
}
