import { type LabelSelector, type Labels, parseLabelSelector } from '@binnacle/apimachinery/labels';
import type { AnyObject } from '../dynamic/index.js';

/** `namespace/name`, or `name` for cluster-scoped objects. */
export function objectKey({ metadata }: AnyObject): string {
  const { name = '', namespace = '' } = metadata ?? {};
  return namespace === '' ? name : `${namespace}/${name}`;
}

export function splitObjectKey(key: string): { namespace: string | undefined; name: string } {
  const slash = key.indexOf('/');
  return slash < 0
    ? { namespace: undefined, name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** The index values of an object. Undefined values are skipped. */
export type IndexFunction<T> = (object: T) => readonly (string | undefined)[];

/** Objects by key, namespace and indexes. They are shared and must not be changed. */
export class Indexer<T extends AnyObject> {
  readonly #objects = new Map<string, T>();
  readonly #functions = new Map<string, IndexFunction<T>>();
  /** By index and value, the keys of objects. */
  readonly #indexes = new Map<string, Map<string, Set<string>>>();

  constructor(indexes: Readonly<Record<string, IndexFunction<T>>> = {}) {
    this.addIndex(BY_NAMESPACE, namespaceOf);
    for (const [name, index] of Object.entries(indexes)) this.addIndex(name, index);
  }

  /** Adds an index over present and future objects. Does nothing for the same function; throws a RangeError for another one of that name. */
  addIndex(name: string, index: IndexFunction<T>): void {
    const known = this.#functions.get(name);
    if (known === index) return;
    if (known !== undefined) throw new RangeError(`index "${name}" already has another function`);
    this.#functions.set(name, index);
    this.#indexes.set(name, new Map());
    for (const [key, object] of this.#objects) this.#addTo(name, index(object), key);
  }

  get size(): number {
    return this.#objects.size;
  }

  /** `key` is `namespace/name`. */
  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  keys(): IterableIterator<string> {
    return this.#objects.keys();
  }

  /** All objects, or those of a namespace, or those that match a selector. Unordered. */
  list(select: { readonly namespace?: string | undefined; readonly selector?: LabelSelector | undefined } = {}): T[] {
    const { namespace, selector } = select;
    const found = namespace === undefined ? [...this.#objects.values()] : this.byIndex(BY_NAMESPACE, namespace);
    return selector === undefined ? found : found.filter((object) => selector.matches(labelsOf(object)));
  }

  /** The objects with this index value. Throws a RangeError for an unknown index. */
  byIndex(index: string, value: string): T[] {
    const keys = this.#index(index).get(value) ?? new Set();
    return [...keys].map((key) => this.#objects.get(key)).filter((object) => object !== undefined);
  }

  /** The values of an index that have objects. */
  indexValues(index: string): string[] {
    return [...this.#index(index).keys()];
  }

  /** Adds or replaces the object and returns the previous one. */
  set(object: T): T | undefined {
    const key = objectKey(object);
    const before = this.#objects.get(key);
    if (before !== undefined) this.#unindex(key, before);
    this.#objects.set(key, object);
    for (const [name, index] of this.#functions) this.#addTo(name, index(object), key);
    return before;
  }

  /** Returns the deleted object. */
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

/** Reads an informer's objects, of one namespace or of all, like a `ResourceClient`. Objects are shared and must not be changed. */
export class Lister<T extends AnyObject> {
  readonly #indexer: Indexer<T>;
  readonly #namespace: string | undefined;

  constructor(indexer: Indexer<T>, namespace?: string) {
    this.#indexer = indexer;
    this.#namespace = namespace;
  }

  /** The objects of this namespace only. */
  namespace(namespace: string): Lister<T> {
    return new Lister(this.#indexer, namespace);
  }

  /** By name, in a namespace or for cluster-scoped objects. */
  get(name: string): T | undefined {
    return this.#indexer.get(objectKey({ metadata: { name, namespace: this.#namespace } }));
  }

  /** Unordered. Throws a `LabelSelectorError` for an invalid selector. */
  list({ labelSelector }: { readonly labelSelector?: string | LabelSelector | undefined } = {}): T[] {
    const selector = typeof labelSelector === 'string' ? parseLabelSelector(labelSelector) : labelSelector;
    return this.#indexer.list({ namespace: this.#namespace, selector });
  }
}
