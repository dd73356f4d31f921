import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Clock, Deadline } from '@binnacle/apimachinery/clock';
import type { UserInfo } from '../authentication/index.js';
import { describeFailure } from '../webhooks/index.js';
import { BackendCall } from '../proxying/index.js';
import type { Backends } from './backends.js';
import { userHeadersOf } from './forwarded-headers.js';
import type { BackendReference, RegisteredService } from './registered-service.js';

export interface DocumentRequest {
  readonly path: string;
  readonly accept: string;
  readonly user: UserInfo;
}

export interface BackendDocument {
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
  /** Equal for documents with the same path, status, type and bytes. */
  readonly digest: string;
}

export interface BackendDocumentsOptions {
  readonly backends: Pick<Backends, 'address' | 'open'>;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly maximumBytes: number;
}

/** A backend sent a document that cannot be used. */
export class BadDocumentError extends Error {}

/**
 * Fetches documents of backends for this server's own use. A backend that does not answer in time fails the fetch,
 * and so does one that answers too much, with a {@link BadDocumentError}.
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
      const { message, upgraded } = await call.send(undefined);
      // Nothing asked for another protocol; its bytes are not a document, and the request's signal no longer ends them.
      upgraded?.socket.destroy();
      const {
        statusCode: status = 0,
        headers: { 'content-type': contentType = '' },
      } = message;
      return {
        path,
        status,
        contentType,
        ...(await this.#read(upgraded === undefined ? message : [], `${path}\n${String(status)}\n${contentType}\n`)),
      };
    } catch (error) {
      const about = `${service.name}: ${path}`;
      if (error instanceof BadDocumentError) throw new BadDocumentError(`${about}: ${error.message}`, { cause: error });
      throw new Error(`${about}: ${describeFailure(error, signal.aborted)}`, { cause: error });
    }
  }

  /** `about`: what the digest covers besides the bytes. */
  async #read(
    message: IncomingMessage | readonly Buffer[],
    about: string,
  ): Promise<Pick<BackendDocument, 'body' | 'digest'>> {
    const { maximumBytes } = this.#options;
    const hash = createHash('sha256').update(about);
    const pieces: Buffer[] = [];
    let length = 0;
    // Leaving the loop closes the connection.
    for await (const piece of message as AsyncIterable<Buffer> | readonly Buffer[]) {
      length += piece.length;
      if (length > maximumBytes) {
        throw new BadDocumentError(`the document is longer than ${String(maximumBytes)} bytes`);
      }
      hash.update(piece);
      pieces.push(piece);
    }
    return { body: Buffer.concat(pieces), digest: hash.digest('base64') };
  }
}
