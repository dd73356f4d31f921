import { PIECE_BYTES } from '../http/index.js';
import type { PiecewiseBody } from '../request/index.js';
import type { StoredObject } from '../storage/index.js';
import { inTurns } from '../slices/index.js';

const COMMA = 0x2c;
/** An item and its comma. */
const SEPARATOR_BYTES = 1;
/** A client reads if it has taken this much, because the kernel's buffers hold less. */
const READ_BYTES = 8 * 1024 * 1024;
/** Each piece costs turns of the loop and calls of TLS, so a client that reads gets larger ones. */
const LARGE_PIECE_BYTES = 256 * 1024;

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
    let sent = 0;
    let first = true;
    for (const item of this.#items) {
      const needed = item.listItemLength + SEPARATOR_BYTES;
      if (at + needed > memory.length) {
        yield memory.subarray(0, at);
        sent += at;
        at = 0;
        const wanted = Math.max(needed, sent < READ_BYTES ? PIECE_BYTES : LARGE_PIECE_BYTES);
        if (wanted > memory.length) memory = Buffer.allocUnsafeSlow(wanted);
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
