import { PIECE_BYTES } from '../http/index.js';
import type { PiecewiseBody } from '../request/index.js';
import type { StoredObject } from '../storage/index.js';
import { inTurns } from '../slices/index.js';

const COMMA = 0x2c;
/** An item and its comma. */
const SEPARATOR_BYTES = 1;

/** A list of objects in their stored form: copies of their bytes, made while they are sent, in one reused buffer. */
class ListBody implements PiecewiseBody {
  readonly length: number;
  readonly #head: Uint8Array;
  readonly #items: readonly StoredObject[];
  readonly #tail: Uint8Array;

  constructor(length: number, head: Uint8Array, items: readonly StoredObject[], tail: Uint8Array) {
    this.length = length;
    this.#head = head;
    this.#items = items;
    this.#tail = tail;
  }

  *pieces(): Generator<Uint8Array> {
    let memory = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, this.length));
    memory.set(this.#head);
    let at = this.#head.length;
    let first = true;
    for (const item of this.#items) {
      const needed = item.listItemLength + SEPARATOR_BYTES;
      if (at + needed > memory.length) {
        yield memory.subarray(0, at);
        at = 0;
        if (needed > memory.length) memory = Buffer.allocUnsafeSlow(needed);
      }
      if (!first) memory[at++] = COMMA;
      first = false;
      at = item.writeListItem(memory, at);
    }
    if (at + this.#tail.length > memory.length) {
      yield memory.subarray(0, at);
      at = 0;
    }
    memory.set(this.#tail, at);
    yield memory.subarray(0, at + this.#tail.length);
  }
}

/** The body of a list between its prefix and suffix. Throws if an object cannot be read. */
export async function listBody(
  head: Uint8Array,
  items: readonly StoredObject[],
  tail: Uint8Array,
): Promise<PiecewiseBody & { readonly length: number }> {
  let length = head.length + tail.length + SEPARATOR_BYTES * Math.max(0, items.length - 1);
  await inTurns(items, (item) => {
    length += item.listItemLength;
  });
  return new ListBody(length, head, items, tail);
}
