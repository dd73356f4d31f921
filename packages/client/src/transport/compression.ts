import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ConnectionError, type Send } from './exchange.js';

/** Accepts gzip and decompresses bodies. Servers compress only long responses, and no watches. */
export function withCompression(next: Send): Send {
  return async (request, options) => {
    const headers = { 'accept-encoding': 'gzip', ...request.headers };
    const response = await next({ ...request, headers }, options);
    if (response.headers['content-encoding'] !== 'gzip') return response;
    return { ...response, body: gunzipped(response.body) };
  };
}

async function* gunzipped(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = Readable.from(body);
  const plain = createGunzip();
  source.once('error', (error) => plain.destroy(error));
  source.pipe(plain);
  try {
    for await (const chunk of plain as AsyncIterable<Uint8Array>) yield chunk;
  } catch (error) {
    if (isZlibError(error))
      throw new ConnectionError('broken', `the compressed response is corrupt: ${error.message}`, { cause: error });
    throw error;
  } finally {
    source.destroy();
    plain.destroy();
  }
}

function isZlibError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_');
}
