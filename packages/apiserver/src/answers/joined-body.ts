import { type Body, PIECE_BYTES, type PiecewiseBody, wholeBody } from '../http/index.js';

/** One body of these parts; a small one in one piece. */
export function joinedBody(parts: readonly Uint8Array[]): Body {
  const body = new JoinedBody(parts);
  return body.length <= PIECE_BYTES ? wholeBody(body) : body;
}

/** Parts one after the other, gathered to larger pieces. */
class JoinedBody implements PiecewiseBody {
  readonly length: number;
  readonly #parts: readonly Uint8Array[];

  constructor(parts: readonly Uint8Array[]) {
    this.#parts = parts;
    this.length = parts.reduce((sum, part) => sum + part.length, 0);
  }

  *pieces(): Generator<Uint8Array> {
    let gathered: Uint8Array[] = [];
    let size = 0;
    for (const part of this.#parts) {
      if (size > 0 && size + part.length > PIECE_BYTES) {
        yield joined(gathered, size);
        gathered = [];
        size = 0;
      }
      gathered.push(part);
      size += part.length;
    }
    if (size > 0) yield joined(gathered, size);
  }
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? first : Buffer.concat(parts, size);
}
