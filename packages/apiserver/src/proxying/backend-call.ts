import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { hasErrorCode } from '@binnacle/apimachinery/errors';
import type { SentHeaders } from './passed-headers.js';

/** A request to a backend. */
export interface BackendRequest {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly url: string;
  readonly headers: SentHeaders;
  readonly signal: AbortSignal;
}

/** What a backend answered. */
export interface Answer {
  /** The head, and the body unless the connection is upgraded. */
  readonly message: IncomingMessage;
  /** The connection, and the bytes that followed the head, when the backend switched protocols. */
  readonly upgraded: { readonly socket: Duplex; readonly head: Buffer } | undefined;
}

/** One request to a backend. */
export class BackendCall {
  readonly #open: () => ClientRequest;

  constructor(open: () => ClientRequest) {
    this.#open = open;
  }

  /**
   * Resolves with the head of the answer; bodies may still stream in both directions. If the backend has closed a kept connection
   * and the request has no body, it is sent once more on a new one.
   */
  async send(body: AsyncIterable<Uint8Array> | undefined): Promise<Answer> {
    const first = this.#open();
    try {
      return await exchange(first, body);
    } catch (error) {
      if (body !== undefined || !first.reusedSocket || !hasErrorCode(error, 'ECONNRESET')) throw error;
      return exchange(this.#open(), undefined);
    }
  }
}

function exchange(request: ClientRequest, body: AsyncIterable<Uint8Array> | undefined): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.once('response', (message) => resolve({ message, upgraded: undefined }));
    request.once('upgrade', (message, socket, head) => resolve({ message, upgraded: { socket, head } }));
    if (body === undefined) {
      request.end();
      return;
    }
    pump(body, request).catch((error: unknown) => {
      request.destroy(error instanceof Error ? error : undefined);
    });
  });
}

/** Ends the request with the body, which is read as fast as the backend takes it. Fails when the client ends early. */
async function pump(body: AsyncIterable<Uint8Array>, request: ClientRequest): Promise<void> {
  for await (const chunk of body) {
    if (request.destroyed) return;
    if (!request.write(chunk)) await drained(request);
  }
  request.end();
}

/** Settles when the request takes more, or no longer takes anything. */
function drained(request: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      request.off('drain', settle).off('close', settle);
      resolve();
    };
    request.on('drain', settle).on('close', settle);
  });
}
