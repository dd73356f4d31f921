/** A body that is made while it is sent, so that it never stands in memory as a whole. */
export interface PiecewiseBody {
  /** Bytes of all pieces together. */
  readonly length: number;
  /** A piece holds until the next one is asked for: all may stand in the same memory. Making them does not fail. */
  pieces(): Iterable<Uint8Array>;
}

export type Body = Uint8Array | PiecewiseBody;

/** How much is handed to a socket at once. */
export const PIECE_BYTES = 256 * 1024;

/** The whole body after all, for those who need it in one piece. */
export function wholeBody(body: Body): Uint8Array {
  if (body instanceof Uint8Array) return body;
  const whole = Buffer.allocUnsafeSlow(body.length);
  let at = 0;
  for (const piece of body.pieces()) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

export function piecesOf(body: Body): Iterable<Uint8Array> {
  return body instanceof Uint8Array ? slicesOf(body) : body.pieces();
}

function* slicesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
