/** No slab is larger, but for a value that is. */
const LARGEST_SLAB = 256 * 1024;
/** A slab is this part of all that lives, so that what is not used of the newest one is little. */
const SLAB_SHARE = 16;
/** A value larger than this part of a slab gets one of its own: it would leave too much of another unused. */
const VALUE_SHARE = 8;
/** Slabs that are used less than this are sparse... */
const SPARSE = 0.75;
/** ...and it is time to empty them when all together hold so much more than lives in them, and a little. */
const WASTEFUL = 1.5;

interface Slab {
  readonly bytes: Uint8Array;
  used: number;
  live: number;
}

/**
 * Memory for many values that are kept for long: they stand side by side in slabs. A buffer of its own costs a value
 * some 400 bytes beside its content, and a small one out of Node's pool keeps its neighbours there alive, whatever they were.
 *
 * The memory of a slab is given back when nobody looks into it any more. Slabs of which much has been released are
 * {@link isSparse}; whoever keeps values moves them then, by releasing and copying them.
 */
export class ByteSlabs {
  readonly #slabs = new WeakMap<ArrayBufferLike, Slab>();
  #current: Slab = newSlab(0);
  #live = 0;
  #held = 0;

  /** Bytes of values that have not been released. */
  get live(): number {
    return this.#live;
  }

  /** Bytes of all slabs in which something lives. */
  get held(): number {
    return this.#held;
  }

  /** Whether so little of the slabs is used that values should be moved. */
  get isWasteful(): boolean {
    return this.#held > this.#live * WASTEFUL + LARGEST_SLAB;
  }

  /** The same bytes in a slab. */
  copy(value: Uint8Array): Uint8Array {
    const slab = this.#slabFor(value.length);
    const start = slab.used;
    slab.bytes.set(value, start);
    slab.used += value.length;
    slab.live += value.length;
    this.#live += value.length;
    return slab.bytes.subarray(start, slab.used);
  }

  /** What {@link copy} answered is not kept any more. Others may still look at it. */
  release(value: Uint8Array): void {
    const slab = this.#slabs.get(value.buffer);
    if (slab === undefined) return;
    slab.live -= value.length;
    this.#live -= value.length;
    if (slab.live > 0) return;
    this.#held -= slab.bytes.length;
    if (slab === this.#current) this.#current = newSlab(0);
  }

  /** Whether a value stands in a slab that is worth being emptied. */
  isSparse(value: Uint8Array): boolean {
    const slab = this.#slabs.get(value.buffer);
    return slab !== undefined && slab !== this.#current && slab.live < slab.bytes.length * SPARSE;
  }

  #slabFor(length: number): Slab {
    if (this.#current.bytes.length - this.#current.used >= length) return this.#current;
    const size = Math.min(LARGEST_SLAB, Math.floor(this.#live / SLAB_SHARE));
    const alone = length * VALUE_SHARE > size;
    const slab = newSlab(alone ? length : size);
    this.#held += slab.bytes.length;
    this.#slabs.set(slab.bytes.buffer, slab);
    if (!alone) this.#current = slab;
    return slab;
  }
}

function newSlab(size: number): Slab {
  return { bytes: Buffer.allocUnsafeSlow(size), used: 0, live: 0 };
}
