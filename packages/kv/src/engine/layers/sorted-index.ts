import type { IndexEntry, Pointer } from '../backend.js';
import { compareKeys } from '../keys.js';

/** Pointers by key, and in key order on demand. The next ordered read sorts new keys in and removes deleted ones. */
export class SortedIndex {
  /** A deleted key stays in this map, without a pointer, while it is in `#sorted`. */
  #pointers = new Map<string, Pointer | undefined>();
  #sorted: string[] = [];
  #added: string[] = [];
  #deleted = 0;

  get(key: string): Pointer | undefined {
    return this.#pointers.get(key);
  }

  set(key: string, pointer: Pointer): void {
    if (!this.#pointers.has(key)) this.#added.push(key);
    else if (this.#pointers.get(key) === undefined) this.#deleted -= 1;
    this.#pointers.set(key, pointer);
  }

  delete(key: string): void {
    if (this.#pointers.get(key) === undefined) return;
    this.#pointers.set(key, undefined);
    this.#deleted += 1;
  }

  scan(prefix: string, from: string, limit: number): IndexEntry[] {
    this.#sort();
    const entries: IndexEntry[] = [];
    for (let index = this.#lowerBound(from); index < this.#sorted.length && entries.length < limit; index += 1) {
      const key = this.#sorted[index];
      if (key === undefined || !key.startsWith(prefix)) break;
      const pointer = this.#pointers.get(key);
      if (pointer !== undefined) entries.push({ key, ...pointer });
    }
    return entries;
  }

  count(prefix: string, from: string): number {
    this.#sort();
    // No UTF-8 text sorts after the highest code point.
    const end = this.#lowerBound(`${prefix}\u{10ffff}`);
    let beyond = end;
    while (this.#sorted[beyond]?.startsWith(prefix) === true) beyond += 1;
    return Math.max(beyond - this.#lowerBound(from), 0);
  }

  #lowerBound(key: string): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareKeys(this.#sorted[middle] ?? '', key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #sort(): void {
    if (this.#deleted > 0) {
      const present = (key: string): boolean => this.#pointers.get(key) !== undefined;
      for (const [key, pointer] of this.#pointers) if (pointer === undefined) this.#pointers.delete(key);
      this.#sorted = this.#sorted.filter(present);
      this.#added = this.#added.filter(present);
      this.#deleted = 0;
    }
    if (this.#added.length > 0) {
      this.#sorted = this.#sorted.concat(this.#added.sort(compareKeys)).sort(compareKeys);
      this.#added = [];
    }
  }
}
