import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { GuardedSocket, type HandshakeOrder } from './guarded-socket.js';
import { HandshakeKeys } from './handshake-keys.js';

/** How many milliseconds of one turn of the loop handshakes may take. */
const TURN_MS = 5;

/** Most handshakes take a millisecond. After a longer one, handshakes pause for as long as it took. */
const COSTLY_MS = 20;

/**
 * The TLS handshakes of a server that asks for client certificates. OpenSSL verifies the signatures of all certificates that
 * a client sends in one piece. So the certificates are checked before OpenSSL sees them, and the bytes of a handshake are bounded.
 * Handshakes have a few milliseconds of each turn of the loop. After a costly one there is a pause.
 */
export class Handshakes implements HandshakeOrder {
  readonly #maxBytes: number;
  readonly #waiting: (() => void)[] = [];
  #isTurnTaken = false;
  #current: GuardedSocket | undefined;
  /** When the current connection finished its handshake. A request may follow in the same bytes. */
  #leftAt: number | undefined;

  /** `maxBytes`: how much a client may send in its handshake. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  guard(socket: Socket): GuardedSocket {
    return new GuardedSocket(socket, this.#maxBytes, this);
  }

  /** The connection whose bytes TLS reads now. Events of TLS belong to it. */
  get current(): GuardedSocket | undefined {
    return this.#current;
  }

  /** Reads a line of the key log of the current connection. Only its handshake secret is kept, until the handshake ends. */
  logged(line: Buffer, socket: TLSSocket): void {
    const keys = HandshakeKeys.read(line.toString('latin1'), socket.getCipher().standardName);
    if (keys === 'unknown') this.#current?.destroy();
    else if (keys !== undefined) this.#current?.encrypted(keys);
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

  leave(connection: GuardedSocket): void {
    if (connection === this.#current) this.#leftAt = performance.now();
  }

  #take(run: () => void): void {
    this.#isTurnTaken = true;
    const begun = performance.now();
    let handshakesMs = 0;
    for (let next: (() => void) | undefined = run, from = begun; next !== undefined; ) {
      this.#leftAt = undefined;
      next();
      const now = performance.now();
      handshakesMs += (this.#leftAt ?? now) - from;
      from = now;
      next = now - begun < TURN_MS ? this.#waiting.shift() : undefined;
    }
    if (handshakesMs < COSTLY_MS) setImmediate(() => this.#next());
    else setTimeout(() => this.#next(), handshakesMs);
  }

  #next(): void {
    this.#isTurnTaken = false;
    const run = this.#waiting.shift();
    if (run !== undefined) this.#take(run);
  }
}
