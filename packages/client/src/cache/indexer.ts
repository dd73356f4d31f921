import type { LabelSelector, Labels } from '@binnacle/apimachinery/labels';
import type { AnyObject } from '../dynamic/index.js';
import { objectKey } from './object-key.js';

/** The values under which an object is found; undefined ones are left out. */
export type IndexFunction<T> = (object: T) => readonly (string | undefined)[];

/** Objects by key, by namespace and by indexes. What it gives is shared: to be read, not changed. */
export class Indexer<T extends AnyObject> {
  readonly #objects = new Map<string, T>();
  readonly #functions = new Map<string, IndexFunction<T>>();
  /** For each index, keys by value. */
  readonly #indexes = new Map<string, Map<string, Set<string>>>();

  constructor(indexes: Readonly<Record<string, IndexFunction<T>>> = {}) {
    this.addIndex(BY_NAMESPACE, namespaceOf);
    for (const [name, index] of Object.entries(indexes)) this.addIndex(name, index);
  }

  /** Finds by one more function, at once and from now on. Adding it again does nothing; throws a RangeError for another of that name. */
  addIndex(name: string, index: IndexFunction<T>): void {
    const known = this.#functions.get(name);
    if (known === index) return;
    if (known !== undefined) throw new RangeError(`there is an index "${name}" already, by another function`);
    this.#functions.set(name, index);
    this.#indexes.set(name, new Map());
    for (const [key, object] of this.#objects) this.#addTo(name, index(object), key);
  }

  get size(): number {
    return this.#objects.size;
  }

  /** By `namespace/name`. */
  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  keys(): IterableIterator<string> {
    return this.#objects.keys();
  }

  /** All, or those of a namespace, or those whose labels a selector selects. In no particular order. */
  list(select: { readonly namespace?: string | undefined; readonly selector?: LabelSelector | undefined } = {}): T[] {
    const { namespace, selector } = select;
    const found = namespace === undefined ? [...this.#objects.values()] : this.byIndex(BY_NAMESPACE, namespace);
    return selector === undefined ? found : found.filter((object) => selector.matches(labelsOf(object)));
  }

  /** Those that an index function has given this value for. Throws a RangeError for an index that there is not. */
  byIndex(index: string, value: string): T[] {
    const keys = this.#index(index).get(value) ?? new Set();
    return [...keys].map((key) => this.#objects.get(key)).filter((object) => object !== undefined);
  }

  /** All values that an index has objects for. */
  indexValues(index: string): string[] {
    return [...this.#index(index).keys()];
  }

  /** What stood there before. */
  set(object: T): T | undefined {
    const key = objectKey(object);
    const before = this.#objects.get(key);
    if (before !== undefined) this.#unindex(key, before);
    this.#objects.set(key, object);
    for (const [name, index] of this.#functions) this.#addTo(name, index(object), key);
    return before;
  }

  /** What stood there. */
  delete(key: string): T | undefined {
    const before = this.#objects.get(key);
    if (before === undefined) return undefined;
    this.#unindex(key, before);
    this.#objects.delete(key);
    return before;
  }

  #addTo(name: string, values: readonly (string | undefined)[], key: string): void {
    const index = this.#index(name);
    for (const value of values) {
      if (value === undefined) continue;
      const keys = index.get(value) ?? new Set();
      index.set(value, keys.add(key));
    }
  }

  #unindex(key: string, object: T): void {
    for (const [name, values] of this.#functions) {
      const index = this.#index(name);
      for (const value of values(object)) {
        const keys = value === undefined ? undefined : index.get(value);
        keys?.delete(key);
        if (value !== undefined && keys?.size === 0) index.delete(value);
      }
    }
  }

  #index(name: string): Map<string, Set<string>> {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new RangeError(`there is no index "${name}"`);
    return index;
  }
}

const BY_NAMESPACE = 'namespace';

function namespaceOf({ metadata }: AnyObject): string[] {
  return [metadata?.namespace ?? ''];
}

function labelsOf({ metadata }: AnyObject): Labels | undefined {
  return metadata?.labels;
}
