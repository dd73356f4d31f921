import { Agent, request as httpRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import { reasonOf } from '@binnacle/apimachinery/clock';
import type { Connection } from './connection.js';
import {
  ConnectionError,
  describeRequest,
  type SendOptions,
  type TransportRequest,
  type TransportResponse,
} from './exchange.js';
import { streamBody } from './stream-body.js';

/** HTTP/1.1 connections, one for each running exchange. Idle ones are reused. */
export class Http1Connections implements Connection {
  readonly available = true;
  readonly ended = false;
  readonly #agent: DialingAgent;
  readonly #authority: string;

  /** `first` is used before new connections. */
  constructor(first: Duplex, dial: () => Promise<Duplex>, authority: string) {
    this.#agent = new DialingAgent(first, dial);
    this.#authority = authority;
  }

  send(request: TransportRequest, { signal }: SendOptions): Promise<TransportResponse> {
    const what = describeRequest(request);
    const outgoing = httpRequest({
      agent: this.#agent,
      method: request.method,
      path: request.path,
      headers: { host: this.#authority, ...mutable(request) },
      ...(signal === undefined ? {} : { signal }),
    });
    return new Promise((resolve, reject) => {
      outgoing.once('error', (error) => {
        if (signal?.aborted === true) reject(reasonOf(signal));
        else if (error instanceof ConnectionError) reject(error);
        else reject(new ConnectionError('broken', `${what}: no response: ${error.message}`, { cause: error }));
      });
      outgoing.once('response', (incoming) => {
        const cancel = () => {
          if (!incoming.complete) incoming.destroy();
        };
        // A reader of the body gets the error.
        incoming.on('error', () => undefined);
        resolve({
          status: incoming.statusCode ?? 0,
          headers: Object.fromEntries(
            Object.entries(incoming.headers).map(([name, value]) => [
              name,
              Array.isArray(value) ? value.join(', ') : value,
            ]),
          ),
          body: streamBody(incoming, what, signal, { cancel, isIncomplete: () => !incoming.complete }),
          cancel,
        });
      });
      outgoing.end(request.body);
    });
  }

  retire(): void {
    this.#agent.keepNone();
  }

  destroy(): void {
    this.#agent.destroy();
  }
}

function mutable({ headers = {}, body }: TransportRequest): Record<string, string | string[]> {
  const copy: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) copy[name] = typeof value === 'string' ? value : [...value];
  if (body !== undefined) copy['content-length'] = String(Buffer.byteLength(body));
  return copy;
}

/** Node.js' connection pool over our own connections. */
class DialingAgent extends Agent {
  #first: Duplex | undefined;
  readonly #dial: () => Promise<Duplex>;

  constructor(first: Duplex, dial: () => Promise<Duplex>) {
    super({ keepAlive: true });
    this.#first = first;
    this.#dial = dial;
  }

  createConnection(_options: unknown, callback?: SocketCallback): Duplex | undefined {
    const first = this.#first;
    this.#first = undefined;
    if (first !== undefined && !first.destroyed) return first;
    void this.#supply(callback);
    return undefined;
  }

  keepNone(): void {
    this.maxFreeSockets = 0;
    for (const sockets of Object.values(this.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }

  override destroy(): void {
    this.#first?.destroy();
    super.destroy();
  }

  async #supply(callback: SocketCallback | undefined): Promise<void> {
    let socket: Duplex;
    try {
      socket = await this.#dial();
    } catch (error) {
      // Node.js' types require a socket beside the error; none exists.
      (callback as ((error: unknown) => void) | undefined)?.(error);
      return;
    }
    callback?.(null, socket);
  }
}

type SocketCallback = (error: Error | null, socket: Duplex) => void;
