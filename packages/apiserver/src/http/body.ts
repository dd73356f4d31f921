import type { Readable } from 'node:stream';
import { badRequest, requestEntityTooLarge, StatusError } from '@binnacle/apimachinery/status';
import { BodyBuffer } from './body-buffer.js';

/** Methods whose requests have no body that means anything. */
export const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Collects a request body of at most `limitBytes`. Stops reading at the first byte too many: what the client sends
 * beyond stays in its flow-control window until the exchange closes the stream. Keeps no chunk: connections that send many
 * small ones are slowed down where they are read. `isComplete` tells, a moment after the
 * end of a body of undeclared length, whether it was the client's end.
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
  // An HTTP/2 stream whose empty body ended while the request waited for its turn says so only once, before this listens.
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
      // Of an HTTP/2 stream that the client resets half-way, the end is heard before the reset.
      if (declaredLength !== undefined) finish(body.size === Number(declaredLength));
      else setImmediate(() => finish(isComplete()));
      source.off('close', onClose);
    };
    const onClose = (): void => fail(endedEarly());
    const timer = setTimeout(() => fail(tooSlow()), timeoutMs).unref();
    source.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

function endedEarly(): StatusError {
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
