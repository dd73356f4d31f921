import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

/** Answers longer than this are compressed for clients that ask for it. */
export const GZIP_THRESHOLD_BYTES = 128 * 1024;

/** Whether `accept-encoding` names gzip plainly. Upstream: apiserver `responsewriters/compression.go`. */
export function acceptsGzip(acceptEncoding: string | readonly string[] | undefined): boolean {
  if (acceptEncoding === undefined) return false;
  const text = typeof acceptEncoding === 'string' ? acceptEncoding : acceptEncoding.join(',');
  return text.includes('gzip') && text.split(',').some((token) => token.trim() === 'gzip');
}

/** Compresses off the event loop, at the level that upstream uses. */
export function gzipped(body: Uint8Array): Promise<Buffer> {
  return compress(body, { level: 1 });
}
