/** The maximum size of a slab, except for a single larger value. */
const LARGEST_SLAB = 256 * 1024;
/** A new slab has the live bytes divided by this, so that the unused part of the newest slab is small. */
const SLAB_SHARE = 16;
/** A value larger than a slab divided by this gets a slab of its own, to waste less of the current one. */
const VALUE_SHARE = 8;
/** A slab is sparse when a smaller share of it is used. */
const SPARSE = 0.75;
/** Slabs are worth emptying when they hold this many times the live bytes, plus a constant. */
const WASTEFUL = 1.5;

interface Slab {
  readonly bytes: Uint8Array;
  used: number;
  live: number;
}

/**
 * Memory for many long-lived values, packed in slabs. A separate buffer costs some 400 bytes beside its content, and
 * a small buffer from Node.js' pool keeps its unrelated neighbours alive.
 *
 * The memory of a slab is freed when no view of it is left. A slab of which much has been released is {@link
 * isSparse}; the owner of its values then moves them by copying and releasing.
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

  /** Bytes of all slabs that contain a live value. */
  get held(): number {
    return this.#held;
  }

  /** Whether so little of the slabs is used that values should be moved. */
  get isWasteful(): boolean {
    return this.#held > this.#live * WASTEFUL + LARGEST_SLAB;
  }

  /** Copies the bytes into a slab. */
  copy(value: Uint8Array): Uint8Array {
    const slab = this.#slabFor(value.length);
    const start = slab.used;
    slab.bytes.set(value, start);
    slab.used += value.length;
    slab.live += value.length;
    this.#live += value.length;
    return slab.bytes.subarray(start, slab.used);
  }

  /** Ends the ownership of a value that {@link copy} returned. Other views of it stay valid. */
  release(value: Uint8Array): void {
    const slab = this.#slabs.get(value.buffer);
    if (slab === undefined) return;
    slab.live -= value.length;
    this.#live -= value.length;
    if (slab.live > 0) return;
    this.#held -= slab.bytes.length;
    if (slab === this.#current) this.#current = newSlab(0);
  }

  /** Whether the value is in a slab that is worth emptying. */
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
