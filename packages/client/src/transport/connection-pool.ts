import { abortable, type Clock } from '../clock/index.js';
import type { Credentials } from '../kubeconfig/index.js';
import type { SendAs } from './authentication.js';
import type { Connection } from './connection.js';
import type { Dial } from './dial.js';
import { ConnectionError } from './exchange.js';
import { Http1Connections } from './http1-connections.js';
import { Http2Connection } from './http2-connection.js';

/** Keeps as many connections as are needed, all with the same certificate, and gives each request one. */
export class ConnectionPool {
  readonly #dial: Dial;
  readonly #authority: string;
  readonly #clock: Clock;
  #certificate: string | undefined;
  #connections: Connection[] = [];
  #dialling: Promise<void> | undefined;
  #closed = false;

  /** `authority`: `host:port` as the server is to see it. */
  constructor(dial: Dial, authority: string, clock: Clock) {
    this.#dial = dial;
    this.#authority = authority;
    this.#clock = clock;
  }

  readonly send: SendAs = async (request, options, as) => {
    const connection = await this.#take(as, options.signal);
    return connection.send(request, options);
  };

  close(): void {
    this.#closed = true;
    for (const connection of this.#connections) connection.destroy();
    this.#connections = [];
  }

  async #take(as: Credentials, signal: AbortSignal | undefined): Promise<Connection> {
    for (;;) {
      signal?.throwIfAborted();
      if (this.#closed) throw new ConnectionError('connecting', 'the transport is closed');
      this.#useCertificate(as);
      this.#connections = this.#connections.filter(({ ended }) => !ended);
      const connection = this.#connections.find(({ available }) => available);
      if (connection !== undefined) return connection;
      this.#dialling ??= this.#open(as).finally(() => {
        this.#dialling = undefined;
      });
      await abortable(this.#dialling, signal);
    }
  }

  /** With another certificate somebody else is asking: connections made before are not theirs. */
  #useCertificate({ clientCertificate }: Credentials): void {
    if (clientCertificate === this.#certificate) return;
    this.#certificate = clientCertificate;
    for (const connection of this.#connections) connection.retire();
    this.#connections = [];
  }

  async #open(as: Credentials): Promise<void> {
    const { socket, protocol } = await this.#dial(as);
    const redial = async () => (await this.#dial(as)).socket;
    const connection =
      protocol === 'h2'
        ? new Http2Connection(socket, this.#authority, this.#clock)
        : new Http1Connections(socket, redial, this.#authority);
    if (this.#closed || as.clientCertificate !== this.#certificate) connection.destroy();
    else this.#connections.push(connection);
  }
}
