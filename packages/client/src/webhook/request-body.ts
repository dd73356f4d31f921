import type { Readable } from 'node:stream';
import { asError } from '@binnacle/apimachinery/errors';
import { MAX_BODY_BYTES } from './review.js';

/** Bytes that all request bodies of a server may hold together. */
export const MAX_BYTES_IN_FLIGHT = 64 * 1024 * 1024;

/** All bodies together hold too much memory. */
export class TooManyBodiesError extends Error {
  override readonly name = 'TooManyBodiesError';
}

/** Reads request bodies of a bounded length, alone and together. */
export class RequestBodies {
  #held = 0;

  /**
   * Calls `use` with the body, or with undefined if it is longer than {@link MAX_BODY_BYTES}; the rest is then not read.
   * Rejects with {@link TooManyBodiesError}, or when the client closes the connection before its end.
   */
  async read<T>(request: Readable, use: (body: Uint8Array | undefined) => Promise<T>): Promise<T> {
    let length = 0;
    const take = (bytes: number) => {
      length += bytes;
      this.#held += bytes;
      if (this.#held > MAX_BYTES_IN_FLIGHT) throw new TooManyBodiesError('too many bytes of requests in flight');
      return length <= MAX_BODY_BYTES;
    };
    try {
      return await use(await collect(request, take));
    } finally {
      this.#held -= length;
    }
  }
}

/** The body, or undefined as soon as `take` refuses a chunk. */
function collect(request: Readable, take: (bytes: number) => boolean): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const stop = () => {
      request.off('data', onData);
      request.pause();
    };
    const onData = (chunk: Buffer) => {
      try {
        if (take(chunk.length)) {
          chunks.push(chunk);
          return;
        }
        resolve(undefined);
      } catch (error) {
        reject(asError(error));
      }
      stop();
    };
    request.on('data', onData);
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => reject(new Error('the client closed the connection')));
  });
}
