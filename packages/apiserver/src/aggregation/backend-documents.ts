import type { IncomingMessage } from 'node:http';
import { type Clock, Deadline } from '@binnacle/apimachinery/clock';
import type { UserInfo } from '../authentication/index.js';
import { describeFailure } from '../webhooks/index.js';
import { BackendCall } from './backend-call.js';
import type { Backends } from './backends.js';
import { userHeadersOf } from './forwarded-headers.js';
import type { BackendReference, RegisteredService } from './registered-service.js';

export interface DocumentRequest {
  readonly path: string;
  readonly accept: string;
  readonly user: UserInfo;
}

export interface BackendDocument {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

export interface BackendDocumentsOptions {
  readonly backends: Backends;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly maximumBytes: number;
}

/**
 * Fetches documents of backends for this server's own use. A backend that does not answer in time, or with too much,
 * fails the fetch.
 */
export class BackendDocuments {
  readonly #options: BackendDocumentsOptions;

  constructor(options: BackendDocumentsOptions) {
    this.#options = options;
  }

  async fetch(
    service: RegisteredService,
    backend: BackendReference,
    { path, accept, user }: DocumentRequest,
  ): Promise<BackendDocument> {
    const { backends, clock, timeoutMs } = this.#options;
    using limit = new Deadline(clock, timeoutMs, undefined, service.name);
    const { signal } = limit;
    try {
      const address = await backends.address(backend);
      const headers = { host: address.authority, accept, ...userHeadersOf(user) };
      const request = { method: 'GET', url: path, headers, signal };
      const call = new BackendCall(() => backends.open(service.name, backend, address, request));
      const { message } = await call.send(undefined);
      return {
        status: message.statusCode ?? 0,
        contentType: message.headers['content-type'] ?? '',
        body: await this.#read(message),
      };
    } catch (error) {
      throw new Error(`${service.name}: ${path}: ${describeFailure(error, signal.aborted)}`, { cause: error });
    }
  }

  async #read(message: IncomingMessage): Promise<Buffer> {
    const { maximumBytes } = this.#options;
    const pieces: Buffer[] = [];
    let length = 0;
    // Leaving the loop closes the connection.
    for await (const piece of message as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > maximumBytes) throw new Error(`the document is longer than ${String(maximumBytes)} bytes`);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }
}
