import type { PiecewiseBody } from '../request/index.js';
import { isTurnOver, Pauses } from '../slices/index.js';

export type Body = Uint8Array | PiecewiseBody;

/** The bytes passed to a socket at once. A client that does not read costs a few times as much. */
export const PIECE_BYTES = 64 * 1024;

/** Most bodies are short. */
const FIRST_MEMORY_BYTES = 4 * 1024;

/** A body of lazily produced parts, gathered into pieces. */
export function bodyOf(parts: () => Iterable<Uint8Array>, length?: number): PiecewiseBody {
  return { length, pieces: () => gathered(parts()) };
}

/** A body of existing bytes, cut into pieces. */
export function slicedBody(bytes: Uint8Array): PiecewiseBody {
  return { length: bytes.length, pieces: () => slicesOf(bytes) };
}

/** All bytes of a body at once. */
export function wholeBody(body: Body): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return Buffer.concat(Array.from(body.pieces(), (piece) => Uint8Array.from(piece)));
}

/** Starts a body. Resolves to all its bytes if there are at most `shortBytes`. Rejects if one of the first pieces fails. */
export async function startedBody(body: PiecewiseBody, shortBytes: number): Promise<Body> {
  const rest: Iterator<Uint8Array, unknown> = body.pieces()[Symbol.iterator]();
  const made: Uint8Array[] = [];
  const pauses = new Pauses();
  let size = 0;
  while (size <= shortBytes) {
    if (isTurnOver()) await pauses.next();
    const next = rest.next();
    if (next.done === true) return Buffer.concat(made, size);
    made.push(Uint8Array.from(next.value));
    size += next.value.length;
  }
  return { length: body.length, pieces: () => continued(made, rest) };
}

function* continued(made: Uint8Array[], rest: Iterator<Uint8Array, unknown>): Generator<Uint8Array> {
  // Removes each piece from the array, so that its memory is freed while a slow client reads the rest.
  for (let piece = made.shift(); piece !== undefined; piece = made.shift()) yield piece;
  for (let next = rest.next(); next.done !== true; next = rest.next()) yield next.value;
}

function* gathered(parts: Iterable<Uint8Array>): Generator<Uint8Array> {
  let memory = Buffer.allocUnsafeSlow(FIRST_MEMORY_BYTES);
  let used = 0;
  for (const part of parts) {
    if (used + part.length > memory.length) {
      yield memory.subarray(0, used);
      used = 0;
      if (memory.length < PIECE_BYTES) memory = Buffer.allocUnsafeSlow(PIECE_BYTES);
    } else if (isTurnOver()) {
      yield memory.subarray(0, used);
      used = 0;
    }
    if (part.length > memory.length) yield* slicesOf(part);
    else {
      memory.set(part, used);
      used += part.length;
    }
  }
  yield memory.subarray(0, used);
}

function* slicesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
