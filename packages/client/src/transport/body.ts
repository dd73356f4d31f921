import type { TransportResponse } from './exchange.js';

/** A body exceeds the reader's limit. */
export class BodyTooLongError extends Error {
  override readonly name = 'BodyTooLongError';
}

/** Reads the whole body. Past `maxBytes` it ends the exchange and rejects with a {@link BodyTooLongError}. */
export async function readBody(response: TransportResponse, maxBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body) {
    length += chunk.length;
    if (length > maxBytes) throw new BodyTooLongError(`the response is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  const first = chunks[0];
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, length);
}

const LINE_FEED = 0x0a;
/** The limit of upstream's clients, far above the size of any object. */
const LONGEST_LINE_BYTES = 16 * 1024 * 1024;

/**
 * Yields the lines of a body as they arrive, without line ends and without empty lines. Throws a {@link BodyTooLongError} for a line of more than
 * `maxBytes`.
 */
export async function* readLines(
  body: AsyncIterable<Uint8Array>,
  maxBytes = LONGEST_LINE_BYTES,
): AsyncGenerator<Uint8Array, void, undefined> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  const add = (piece: Uint8Array) => {
    length += piece.length;
    if (length > maxBytes) throw new BodyTooLongError(`a line of the response is longer than ${maxBytes} bytes`);
    pieces.push(piece);
  };
  for await (const chunk of body) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      add(chunk.subarray(start, end));
      if (length > 0) yield joined(pieces, length);
      pieces = [];
      length = 0;
      start = end + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  }
  if (length > 0) yield joined(pieces, length);
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const first = pieces[0];
  return pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces, length);
}
