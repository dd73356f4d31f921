import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { badRequest, requestEntityTooLarge, StatusError } from '@binnacle/apimachinery/status';
import { BodyBuffer } from './body-buffer.js';

/** Methods whose request body has no meaning. */
export const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Collects a request body of at most `limitBytes`. Stops reading at the first byte beyond it; further bytes stay in the
 * flow-control window until the exchange closes the stream. Copies chunks and keeps none. Connections with many small
 * chunks are slowed down where they are read. For a body without a declared length, `isComplete` says shortly after the end
 * whether the client ended it.
 */
export function collectBody(
  source: Readable,
  declaredLength: string | undefined,
  limitBytes: number,
  timeoutMs: number,
  isComplete: () => boolean,
): Promise<Buffer> {
  const tooLarge = (): StatusError => requestEntityTooLarge(`limit is ${limitBytes}`);
  if (declaredLength !== undefined && Number(declaredLength) > limitBytes) return Promise.reject(tooLarge());
  // The empty body of an HTTP/2 stream may have ended while the request waited for its turn. `end` is emitted only once.
  if (source.readableEnded) {
    const isWhole = declaredLength === undefined ? isComplete() : Number(declaredLength) === 0;
    return isWhole ? Promise.resolve(Buffer.alloc(0)) : Promise.reject(endedEarly());
  }
  if (source.destroyed) return Promise.reject(endedEarly());
  return new Promise((resolve, reject) => {
    const body = new BodyBuffer();
    const settle = (): void => {
      clearTimeout(timer);
      source.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
    };
    const fail = (error: StatusError): void => {
      settle();
      source.pause();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      if (body.size + chunk.length > limitBytes) {
        fail(tooLarge());
        return;
      }
      body.add(chunk);
    };
    const finish = (whole: boolean): void => {
      if (!whole) {
        fail(endedEarly());
        return;
      }
      settle();
      resolve(body.bytes);
    };
    const onEnd = (): void => {
      // A client may end an HTTP/2 stream right before it resets it.
      if (declaredLength !== undefined) finish(body.size === Number(declaredLength));
      else setImmediate(() => finish(isComplete()));
      source.off('close', onClose);
    };
    const onClose = (): void => fail(endedEarly());
    const timer = setTimeout(() => fail(tooSlow()), timeoutMs).unref();
    source.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/**
 * A request body as its reader takes it. `isComplete` says shortly after the end whether the client ended it; otherwise
 * the iteration fails.  */
export async function* bodyPieces(
  source: Readable,
  isComplete: () => boolean,
): AsyncGenerator<Uint8Array, void, undefined> {
  // Leaving the loop must not destroy the connection, which still has to carry the answer.
  for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) yield chunk;
  await turn();
  if (!isComplete()) throw endedEarly();
}

/** The client has gone, or has given up its request, within the body. */
export function endedEarly(): StatusError {
  return badRequest('unexpected EOF');
}

function tooSlow(): StatusError {
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'Timeout: the request body did not arrive in time',
    reason: 'Timeout',
    details: {},
    code: 408,
  });
}
