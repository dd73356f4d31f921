const CHUNK = 256;

interface Chunk<V> {
  readonly keys: string[];
  readonly values: V[];
}

/**
 * A map in the order of its keys' UTF-8 bytes, the order in which lists and pages come out. Chunks of bounded size keep
 * an insertion cheap at any size. Iteration is over the live map: do not change it meanwhile.
 */
export class SortedMap<V> {
  #chunks: Chunk<V>[] = [];
  #size = 0;
  /** JavaScript compares UTF-16 units; that differs from bytes only where surrogates occur, and almost no key has one. */
  #surrogates = false;

  get size(): number {
    return this.#size;
  }

  get(key: string): V | undefined {
    const chunk = this.#chunks[this.#chunkOf(key)];
    if (chunk === undefined) return undefined;
    const index = this.#lowerBound(chunk.keys, key);
    return chunk.keys[index] === key ? chunk.values[index] : undefined;
  }

  set(key: string, value: V): void {
    if (!this.#surrogates && /[\ud800-\udfff]/.test(key)) this.#switchToByteOrder();
    if (this.#chunks.length === 0) this.#chunks.push({ keys: [], values: [] });
    const at = Math.min(this.#chunkOf(key), this.#chunks.length - 1);
    const chunk = this.#chunks[at];
    if (chunk === undefined) return;
    const index = this.#lowerBound(chunk.keys, key);
    if (chunk.keys[index] === key) {
      chunk.values[index] = value;
      return;
    }
    chunk.keys.splice(index, 0, key);
    chunk.values.splice(index, 0, value);
    this.#size++;
    if (chunk.keys.length > CHUNK) {
      const half = chunk.keys.length >> 1;
      this.#chunks.splice(at + 1, 0, { keys: chunk.keys.splice(half), values: chunk.values.splice(half) });
    }
  }

  delete(key: string): boolean {
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at];
    if (chunk === undefined) return false;
    const index = this.#lowerBound(chunk.keys, key);
    if (chunk.keys[index] !== key) return false;
    chunk.keys.splice(index, 1);
    chunk.values.splice(index, 1);
    if (chunk.keys.length === 0) this.#chunks.splice(at, 1);
    this.#size--;
    return true;
  }

  clear(): void {
    this.#chunks = [];
    this.#size = 0;
  }

  /** Values whose keys begin with `prefix`, from key `from` on, in order. */
  *range(prefix: string, from: string = prefix): Generator<V> {
    const start = this.#compare(from, prefix) < 0 ? prefix : from;
    let at = this.#chunkOf(start);
    let chunk = this.#chunks[at];
    let index = chunk === undefined ? 0 : this.#lowerBound(chunk.keys, start);
    while (chunk !== undefined) {
      for (; index < chunk.keys.length; index++) {
        const key = chunk.keys[index];
        if (key === undefined || !key.startsWith(prefix)) return;
        yield chunk.values[index] as V;
      }
      at++;
      index = 0;
      chunk = this.#chunks[at];
    }
  }

  /** The first chunk whose last key is not before `key`; the number of chunks when there is none. */
  #chunkOf(key: string): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const last = this.#chunks[middle]?.keys.at(-1);
      if (last !== undefined && this.#compare(last, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #lowerBound(keys: readonly string[], key: string): number {
    let low = 0;
    let high = keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#compare(keys[middle] ?? '', key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #compare(a: string, b: string): number {
    if (a === b) return 0;
    if (this.#surrogates) return Buffer.compare(Buffer.from(a), Buffer.from(b));
    return a < b ? -1 : 1;
  }

  #switchToByteOrder(): void {
    const entries = this.#chunks.flatMap((chunk) =>
      chunk.keys.map((key, index) => [key, chunk.values[index] as V] as const),
    );
    this.clear();
    this.#surrogates = true;
    for (const [key, value] of entries) this.set(key, value);
  }
}
