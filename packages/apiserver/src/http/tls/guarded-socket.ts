import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { ClientFlight, FlightError } from './client-flight.js';
import { enter } from '../../slices/index.js';
import type { Connection } from '../client-of.js';
import type { HandshakeKeys } from './handshake-keys.js';
import { linger } from '../linger.js';

const nothing: Buffer = Buffer.alloc(0);

/** Decides when a connection may continue its handshake. */
export interface HandshakeOrder {
  /** Calls `goOn` once, at once or in a later turn of the loop. */
  enter(connection: GuardedSocket, goOn: () => void): void;
  /** Called when the handshake of a connection is over, before its first request is read. */
  leave(connection: GuardedSocket): void;
}

/** The first bytes of an HTTP request. Upstream: Go's `tlsRecordHeaderLooksLikeHTTP`. */
const PLAIN_HTTP = ['GET /', 'HEAD ', 'POST ', 'PUT /', 'OPTIO'];
const PLAIN_HTTP_REFUSAL = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

/**
 * Passes the bytes of a TCP connection to TLS, so that JavaScript sees them first. It closes the connection of a client that
 * sends too many handshake bytes or costly certificates. After the handshake, bytes and the end of the connection pass in turn with
 * those of other connections, because TLS and the parsers handle each in one step. TLS writes directly to the socket.
 *
 * It implements only the part of a stream that TLS uses, and has no buffers of its own.
 */
export class GuardedSocket extends EventEmitter implements Connection {
  client: string | undefined;
  readonly readable = true;
  readonly writable = true;
  readonly remoteAddress: string | undefined;
  readonly #socket: Socket;
  readonly #order: HandshakeOrder;
  #isFirst = true;
  /** Bytes that the client may still send before its handshake is over. */
  #room: number;
  #waiting = nothing;
  /** Inspects the handshake; undefined after it. */
  #flight: ClientFlight | undefined = new ClientFlight();
  #isPaused = false;
  #hasEnded = false;

  constructor(socket: Socket, maxHandshakeBytes: number, order: HandshakeOrder) {
    super();
    this.remoteAddress = socket.remoteAddress;
    this.#socket = socket;
    this.#room = maxHandshakeBytes;
    this.#order = order;
    // TLS ends the socket itself, after its last write.
    socket.allowHalfOpen = true;
    socket.on('data', (bytes: Buffer) => this.#read(bytes));
    socket.once('end', () => this.#end());
    socket.on('error', (error) => enter(this, () => this.emit('error', error)));
    socket.once('close', () => enter(this, () => this.emit('close')));
  }

  /** Call it once the keys are agreed: the client encrypts the rest of its handshake. */
  encrypted(keys: HandshakeKeys): void {
    this.#flight?.encrypted(keys);
  }

  /** Call it when the handshake is over. */
  secured(): void {
    this.#flight = undefined;
    this.#order.leave(this);
  }

  pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (this.#waiting.length === 0) this.#socket.resume();
  }

  cork(): void {
    this.#socket.cork();
  }

  uncork(): void {
    this.#socket.uncork();
  }

  write(bytes: Uint8Array, done: (error?: Error | null) => void): boolean {
    return this.#socket.write(bytes, done);
  }

  end(done: () => void): void {
    this.#socket.end(done);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #read(bytes: Buffer): void {
    if (this.#flight === undefined) {
      this.#waiting = bytes;
      enter(this, () => this.#passOn());
      if (this.#waiting.length > 0) this.#socket.pause();
      return;
    }
    if (this.#isFirst && PLAIN_HTTP.includes(bytes.toString('latin1', 0, 5))) {
      this.#refusePlainHttp();
      return;
    }
    this.#isFirst = false;
    this.#waiting = bytes;
    this.#socket.pause();
    this.#order.enter(this, () => this.#goOn());
  }

  /** Drops the rest of the request: a socket that closes with unread bytes may lose its answer. */
  #refusePlainHttp(): void {
    this.#socket.removeAllListeners('data').resume();
    this.#socket.end(PLAIN_HTTP_REFUSAL, () => linger(this.#socket));
  }

  /** The client ended its side. This can happen while the last bytes wait for their turn. */
  #end(): void {
    this.#hasEnded = true;
    if (this.#waiting.length === 0) enter(this, () => this.emit('end'));
  }

  /** The same bytes may hold the end of the handshake and the first requests. */
  #goOn(): void {
    const handshake = this.#waiting.subarray(0, this.#room);
    const rest = this.#waiting.subarray(handshake.length);
    this.#waiting = nothing;
    this.#room -= handshake.length;
    if (!this.#mayPass(handshake)) {
      this.#socket.destroy();
      return;
    }
    this.emit('data', handshake);
    if (rest.length > 0) {
      if (this.#flight === undefined) this.emit('data', rest);
      else this.#socket.destroy();
    }
    this.#readOn();
  }

  #passOn(): void {
    const bytes = this.#waiting;
    this.#waiting = nothing;
    if (this.#socket.destroyed) return;
    this.emit('data', bytes);
    this.#readOn();
  }

  #readOn(): void {
    if (this.#hasEnded) this.emit('end');
    else if (!this.#isPaused && this.#socket.isPaused()) this.#socket.resume();
  }

  #mayPass(handshake: Buffer): boolean {
    try {
      this.#flight?.read(handshake);
      return true;
    } catch (error) {
      if (error instanceof FlightError) return false;
      throw error;
    }
  }
}
