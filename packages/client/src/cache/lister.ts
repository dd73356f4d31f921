import { type LabelSelector, parseLabelSelector } from '@binnacle/apimachinery/labels';
import type { AnyObject } from '../dynamic/index.js';
import type { Indexer } from './indexer.js';
import { objectKey } from './object-key.js';

/** Reads what an informer holds, in one namespace or in all, as a `ResourceClient` reads a server. What it gives is shared: to be read, not changed. */
export class Lister<T extends AnyObject> {
  readonly #indexer: Indexer<T>;
  readonly #namespace: string | undefined;

  constructor(indexer: Indexer<T>, namespace?: string) {
    this.#indexer = indexer;
    this.#namespace = namespace;
  }

  /** The same objects, of this namespace alone. */
  namespace(namespace: string): Lister<T> {
    return new Lister(this.#indexer, namespace);
  }

  /** By name, where there is a namespace or where there are none. */
  get(name: string): T | undefined {
    return this.#indexer.get(objectKey({ metadata: { name, namespace: this.#namespace } }));
  }

  /** In no particular order. Throws a `LabelSelectorError` for a text that is none. */
  list({ labelSelector }: { readonly labelSelector?: string | LabelSelector | undefined } = {}): T[] {
    const selector = typeof labelSelector === 'string' ? parseLabelSelector(labelSelector) : labelSelector;
    return this.#indexer.list({ namespace: this.#namespace, selector });
  }
}
