import { abortable, type Clock } from '@binnacle/apimachinery/clock';
import type { Credentials } from '../kubeconfig/index.js';
import type { SendAs } from './authentication.js';
import type { Connection } from './connection.js';
import type { Dial } from './dial.js';
import { ConnectionError } from './exchange.js';
import { Http1Connections } from './http1-connections.js';
import { Http2Connection } from './http2-connection.js';

/** Opens connections on demand, all with the same client certificate, and assigns each request to one. */
export class ConnectionPool {
  readonly #dial: Dial;
  readonly #authority: string;
  readonly #clock: Clock;
  #certificate: string | undefined;
  #connections: Connection[] = [];
  #dialling: Promise<void> | undefined;
  #closed = false;

  /** `authority` is the `host:port` that the server sees. */
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

  /** A new certificate is a new user, which must not use earlier connections. */
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
