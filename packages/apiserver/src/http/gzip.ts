import { createGzip } from 'node:zlib';
import type { PiecewiseBody, ResponseStream } from '../request/index.js';
import { isTurnOver, Pauses } from '../slices/index.js';

/** Longer answers are compressed if the client accepts gzip. */
export const GZIP_THRESHOLD_BYTES = 128 * 1024;

/** The level that upstream uses. */
const LEVEL = 1;
const OUTPUT_BYTES = 64 * 1024;

/** Whether `accept-encoding` names gzip, without a weight. Upstream: apiserver `responsewriters/compression.go`. */
export function acceptsGzip(acceptEncoding: string | readonly string[] | undefined): boolean {
  if (acceptEncoding === undefined) return false;
  const text = typeof acceptEncoding === 'string' ? acceptEncoding : acceptEncoding.join(',');
  return text.includes('gzip') && text.split(',').some((token) => token.trim() === 'gzip');
}

/**
 * Compresses off the event loop, and sends piece by piece as the client reads. Resolves early when the client leaves.
 * Rejects when a piece cannot be made; the caller must then break the answer off.
 */
export async function sendGzipped(stream: ResponseStream, body: PiecewiseBody): Promise<void> {
  const compressor = createGzip({ level: LEVEL, chunkSize: OUTPUT_BYTES });
  let goOn: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    compressor.once('close', () => {
      goOn();
      resolve();
    });
  });
  const taken = (piece: Uint8Array): Promise<void> =>
    new Promise((resolve) => {
      goOn = resolve;
      compressor.write(piece, () => resolve());
    });
  compressor.on('data', (chunk: Buffer) => {
    if (stream.write(chunk)) return;
    compressor.pause();
    stream.drained().then(
      () => compressor.resume(),
      () => compressor.destroy(),
    );
  });
  compressor.once('end', () => stream.end());
  const pauses = new Pauses();
  try {
    for (const piece of body.pieces()) {
      if (compressor.destroyed) break;
      await taken(piece);
      if (isTurnOver()) await pauses.next();
    }
    if (!compressor.destroyed) compressor.end();
    await ended;
  } finally {
    compressor.destroy();
  }
}
