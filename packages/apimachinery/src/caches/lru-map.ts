/**
 * A map of at most `capacity` entries, or of entries whose sizes are together at most `capacity`. When full, it drops the
 * least recently used ones. It keeps the last entry however large.
 */
export class LruMap<K, V> {
  /** In the order of use: a map keeps the order of insertion. */
  readonly #entries = new Map<K, V>();
  readonly #capacity: number;
  readonly #sizeOf: (key: K, value: V) => number;
  #used = 0;

  /** `sizeOf`: the size of an entry, which never changes. Default: 1. */
  constructor(capacity: number, sizeOf: (key: K, value: V) => number = () => 1) {
    this.#capacity = capacity;
    this.#sizeOf = sizeOf;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#used += this.#sizeOf(key, value);
    for (const oldest of this.#entries.keys()) {
      if (this.#used <= this.#capacity || this.#entries.size === 1) return;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    const value = this.#entries.get(key);
    if (value === undefined || !this.#entries.delete(key)) return;
    this.#used -= this.#sizeOf(key, value);
  }

  /** From the least recently used to the most recently used. */
  values(): Iterable<V> {
    return this.#entries.values();
  }
}
