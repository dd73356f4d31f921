import { compareUtf8 } from '@binnacle/apimachinery/json';

const CHUNK = 256;
const SURROGATE = /[\ud800-\udfff]/;

interface Chunk<V> {
  readonly keys: string[];
  readonly values: V[];
}

/**
 * A map in the order of its keys' UTF-8 bytes, the order of lists and pages. Chunks of bounded size keep an insertion
 * cheap at any size. Iteration is over the live map: do not change it meanwhile.
 */
export class SortedMap<V> {
  #chunks: Chunk<V>[] = [];
  #size = 0;
  /** JavaScript compares UTF-16 units. That differs from byte order only for surrogates, which almost no key has. */
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

  /** Returns the value that it replaces. */
  set(key: string, value: V): V | undefined {
    if (!this.#surrogates && SURROGATE.test(key)) this.#switchToByteOrder();
    const last = this.#chunks.at(-1);
    // A map is mostly filled in key order.
    if (last !== undefined && last.keys.length < CHUNK && this.#compare(key, last.keys.at(-1) ?? '') > 0) {
      last.keys.push(key);
      last.values.push(value);
      this.#size++;
      return undefined;
    }
    return this.#insert(key, value);
  }

  #insert(key: string, value: V): V | undefined {
    if (this.#chunks.length === 0) this.#chunks.push({ keys: [], values: [] });
    const at = Math.min(this.#chunkOf(key), this.#chunks.length - 1);
    const chunk = this.#chunks[at];
    if (chunk === undefined) return undefined;
    const index = this.#lowerBound(chunk.keys, key);
    if (chunk.keys[index] === key) {
      const replaced = chunk.values[index];
      chunk.values[index] = value;
      return replaced;
    }
    chunk.keys.splice(index, 0, key);
    chunk.values.splice(index, 0, value);
    this.#size++;
    if (chunk.keys.length > CHUNK) {
      const half = chunk.keys.length >> 1;
      this.#chunks.splice(at + 1, 0, { keys: chunk.keys.splice(half), values: chunk.values.splice(half) });
    }
    return undefined;
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

  /** How many keys begin with `prefix`, from key `from` on. Costs a step for each chunk, not for each key. */
  count(prefix: string, from: string = prefix): number {
    const start = this.#start(prefix, from);
    return Math.max(0, this.#rankAfter(prefix) - this.#rank(start));
  }

  /** Values whose keys begin with `prefix`, from key `from` on, in order. */
  *range(prefix: string, from: string = prefix): Generator<V> {
    const start = this.#start(prefix, from);
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

  /** One value of each chunk, which are spread over the keys. */
  *sample(): Generator<V> {
    for (const { values } of this.#chunks) yield values[0] as V;
  }

  /** The first key of a range, in the map's order. A surrogate in `from` matters even if no key has one. */
  #start(prefix: string, from: string): string {
    if (!this.#surrogates && SURROGATE.test(from)) this.#switchToByteOrder();
    return this.#compare(from, prefix) < 0 ? prefix : from;
  }

  /** How many keys come before `key`. */
  #rank(key: string): number {
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at];
    return this.#sizeBefore(at) + (chunk === undefined ? 0 : this.#lowerBound(chunk.keys, key));
  }

  /** The number of keys up to the last one that begins with `prefix`. In byte order these keys are adjacent. */
  #rankAfter(prefix: string): number {
    const past = (key: string): boolean => !key.startsWith(prefix) && this.#compare(key, prefix) > 0;
    const at = firstIndex(this.#chunks.length, (index) => past(this.#chunks[index]?.keys.at(-1) ?? ''));
    const keys = this.#chunks[at]?.keys ?? [];
    return this.#sizeBefore(at) + firstIndex(keys.length, (index) => past(keys[index] ?? ''));
  }

  #sizeBefore(chunk: number): number {
    let size = 0;
    for (let index = 0; index < chunk; index++) size += this.#chunks[index]?.keys.length ?? 0;
    return size;
  }

  /** The first chunk whose last key is not before `key`; the number of chunks when there is none. */
  #chunkOf(key: string): number {
    const chunks = this.#chunks;
    return firstIndex(chunks.length, (index) => this.#compare(chunks[index]?.keys.at(-1) ?? '', key) >= 0);
  }

  #lowerBound(keys: readonly string[], key: string): number {
    return firstIndex(keys.length, (index) => this.#compare(keys[index] ?? '', key) >= 0);
  }

  #compare(a: string, b: string): number {
    if (a === b) return 0;
    if (this.#surrogates) return compareUtf8(a, b);
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

/** The first index below `length` for which `holds`, which holds for all after it too; `length` when there is none. */
function firstIndex(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
